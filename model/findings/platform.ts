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
