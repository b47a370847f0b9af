import { defineRules } from './rule.ts';

/** The rules for the platform file. */
export const platformRules = defineRules([
  {
    id: 'argocd-source',
    severity: 'error',
    place: 'source',
    dependsOnClass: true,
    description:
      'The address of `argocd.source` has a password, or a user although it is not ssh. Put credentials into a repository Secret of Argo CD. A `targetRevision` of a cluster without `argocd.source` is reported too: set the source.',
  },
  {
    id: 'cluster-server',
    severity: 'error',
    place: 'source',
    dependsOnClass: true,
    description:
      'A cluster has no `server` although `argocd.source` is set, or has that of another cluster. Set the address of its API server; only `in-cluster` needs none.',
  },
  {
    id: 'hook',
    severity: 'error',
    place: 'source',
    dependsOnClass: true,
    description:
      'The address of a hook has a user, a password or a part that is not sent, uses http, or its cluster is unknown. Use a plain https address or set `plainHttp`, put credentials into the Secret, and name clusters of the platform file. Addresses of Jenkins and Slack have no query.',
  },
  {
    id: 'compared-kind',
    severity: 'error',
    place: 'source',
    dependsOnClass: true,
    description:
      'A kind in `operator.comparedKinds` is listed twice, is cluster-scoped or `Secret`, or is rendered for tenants anyway: remove it. For a custom kind with unknown plural and version, add both to `kinds`, or its definition to `crdFiles`.',
  },
  {
    id: 'server-side-diff',
    severity: 'warning',
    place: 'source',
    dependsOnClass: true,
    description:
      'Argo CD queries the API server before each sync, because the definition of a namespaced kind is unknown. Add the definitions of these kinds to `crdFiles`, or set `argocd.serverSideDiff`.',
  },
  {
    id: 'delegation',
    severity: 'error',
    place: 'source',
    dependsOnClass: true,
    description:
      'The folder of a file may not declare this kind, name or namespace. Move the declaration, or grant the name to the folder in `spec.delegation`. In the platform file: two folders of the table match the same path, so make one more specific; or a folder with several files has no row, so add it, or correct the row with a similar spelling.',
  },
]);

/** The rules for the ceilings of a class. */
export const ceilingRules = defineRules([
  {
    id: 'ceiling-namespaces',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The tenant has more namespaces than the class allows. Remove some, or request an exception of the class.',
  },
  {
    id: 'ceiling-quota',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The quota of a namespace is above the ceiling of the class, or lacks the key and is unlimited. Set the key to at most the ceiling.',
  },
  {
    id: 'ceiling-tenant-quota',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The quotas of all namespaces together are above the ceiling of the class, or a namespace lacks the key. Lower the quotas, or set the key in each namespace.',
  },
  {
    id: 'ceiling-limits',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A value of a LimitRange is above the ceiling of the class. Lower it to at most the ceiling.',
  },
  {
    id: 'ceiling-pod-security',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The enforced Pod Security level is more open than the class allows, or its version is older than `latest`. Set at least the level of the ceiling, and leave `version` out.',
  },
  {
    id: 'ceiling-network',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Isolation, egress or the peers of a policy are more open than the class allows. Choose a stricter value, or narrow the peers.',
  },
  {
    id: 'ceiling-roles',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A role that the tenant writes allows more than the class allows. Remove the rights in the message, or use a preset of the class.',
  },
]);
