/** The access of programs in a cluster, as data: roles are built from it, and clients are limited to it. */
export {
  canHaveResourceNames,
  checkAccessRule,
  explainFieldSelectorVerbs,
  explainIneffectiveVerbs,
  isVerb,
  permits,
  type AccessRequest,
  type AccessRule,
  type Verb,
} from './access/rule.ts';
export { roleObjects, type RoleObjectsProps } from './access/roles.ts';
export { buildRoles, type AccessRoles, type PolicyRule } from './access/roles.ts';
export {
  certificateAccess,
  electionForLifeAccess,
  leaseElectionAccess,
  type CertificateAccessProps,
  type LeaseName,
} from './access/runtime-access.ts';
