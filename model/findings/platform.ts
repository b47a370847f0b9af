import { defineRules } from './rule.ts';

/** The rules for the platform file. */
export const platformRules = defineRules([
  {
    id: 'argocd-source',
    severity: 'error',
    place: 'source',
    dependsOnClass: true,
    description:
      'the address of `argocd.source` has no password, and has a user only for ssh; a cluster with a `targetRevision` has a source',
  },
  {
    id: 'cluster-server',
    severity: 'error',
    place: 'source',
    dependsOnClass: true,
    description:
      'with an `argocd.source`, each cluster has its own `server`; it is optional for `in-cluster`',
  },
  {
    id: 'hook',
    severity: 'error',
    place: 'source',
    dependsOnClass: true,
    description:
      'the address of a hook uses https unless `plainHttp` is set, and has no user and password; an address of Jenkins or Slack has no query; its clusters are in the platform file',
  },
  {
    id: 'compared-kind',
    severity: 'error',
    place: 'source',
    dependsOnClass: true,
    description:
      'each of `operator.comparedKinds` is listed once, is namespaced, has a known plural and version, and is neither `Secret` nor a kind that Tenantry renders for tenants',
  },
  {
    id: 'server-side-diff',
    severity: 'warning',
    place: 'source',
    dependsOnClass: true,
    description:
      'with an `argocd.source`, `crdFiles` have the definition of each namespaced kind, or `argocd.serverSideDiff` is set',
  },
  {
    id: 'delegation',
    severity: 'error',
    place: 'source',
    dependsOnClass: true,
    description:
      'the folder of a file may declare the kind, the name and the names of namespaces. In the platform file, no two folders of the table compete, and each folder with several files has a row. The error is at a row with a similar spelling and no files, or at the table',
  },
]);
