import { defineRules } from './rule.ts';

/** The rules for what Argo CD deploys for a tenant. */
export const argocdRules = defineRules([
  {
    id: 'argocd-impersonation',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'a tenant has a repository only if the platform file sets as whom Argo CD syncs. Its users may create Applications only if Argo CD syncs as the tenant. `identities` do not contain the accounts as which it does',
  },
  {
    id: 'argocd-destination',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'each cluster with a namespace of a tenant that has a repository has a `server` in the platform file',
  },
  {
    id: 'argocd-repository',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the class sets or allows the repository, and Applications deploy from repositories of the tenant',
  },
  {
    id: 'argocd-kind',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a kind for Applications is namespaced, and the class sets or allows it. A kind that grants rights, opens a network or bounds others requires that Argo CD syncs as the tenant',
  },
  {
    id: 'argocd-application',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'Applications deploy to namespaces of the tenant, in a form that the class allows',
  },
  {
    id: 'argocd-sync-window',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a window occurs, has a duration, and is in an existing time zone. If the class has windows that allow syncs, its tenants set only windows that deny them',
  },
  {
    id: 'argocd-role',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the Argo CD permissions of a class for admins, editors or viewers contain `get`',
  },
  {
    id: 'argocd-group',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a group with a role in Argo CD has a name without double quotes and without spaces at its ends. The name does not begin with `role:` or `proj:`',
  },
]);
