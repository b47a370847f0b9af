/** Decisions on requests by roles and bindings, with the paths that grant them. */
export {
  Authorizer,
  isBuiltin,
  isMaster,
  type Answer,
  type AuthorizerOptions,
  type Decision,
  type Grant,
  type Membership,
  type UnknownGrant,
} from './authorizer/authorizer.ts';
export { formatRole, isPolicyObject, nameRole, type PolicyBinding } from './authorizer/policy.ts';
export {
  ruleAllows,
  type AuthorizationRequest,
  type PathRequest,
  type ResourceRequest,
} from './authorizer/request.ts';
export {
  buildRequester,
  formatSubject,
  isSystemSubject,
  MASTERS,
  parseAccountUser,
  type AccessSubject,
  type Requester,
} from './authorizer/subjects.ts';
