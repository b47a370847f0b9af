/** The access of programs in a cluster, as data: roles are built from it, and clients are limited to it. */
export { certificateAccess, type CertificateAccessProps } from './access/certificate-access.ts';
export {
  electionForLifeAccess,
  leaseElectionAccess,
  type LeaseName,
} from './access/election-access.ts';
export { explainFieldSelectorVerbs, explainIneffectiveVerbs } from './access/resource-names.ts';
export { permits, type AccessRequest } from './access/permits.ts';
export { roleObjects, type RoleObjectsProps } from './access/role-objects.ts';
export { rolesOf, type AccessRoles, type PolicyRule } from './access/roles.ts';
export {
  canHaveResourceNames,
  checkAccessRule,
  isVerb,
  type AccessRule,
  type Verb,
} from './access/rule.ts';
