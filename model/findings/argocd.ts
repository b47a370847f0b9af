import { defineRules } from './rule.ts';

/** The rules for what Argo CD deploys for a tenant. */
export const argocdRules = defineRules([
  {
    id: 'argocd-impersonation',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'A tenant has a repository, but the platform file does not say as whom Argo CD syncs; or its users may create Applications while Argo CD does not sync as the tenant. Set `argocd.impersonation`. If `identities` contains the accounts as which Argo CD syncs for tenants, remove them.',
  },
  {
    id: 'argocd-destination',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'A cluster of a tenant with a repository has no `server`. Set the address of its API server in the platform file.',
  },
  {
    id: 'argocd-repository',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The class neither sets nor allows the repository, or an Application uses one that the tenant does not have. Add it to `allow.sourceRepos` of the class, and to `sourceRepos` of the tenant.',
  },
  {
    id: 'argocd-kind',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A kind for Applications is cluster-scoped, or the class does not allow it. A kind that grants rights, opens a network or bounds others needs `argocd.impersonation`. Remove the kind, or add it to `allow.namespaceResourceWhitelist`.',
  },
  {
    id: 'argocd-application',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      "Applications deploy to a namespace that is not the tenant's, or have a form that the class does not allow. Name a namespace of the tenant, or set `allow.applicationSets` or `allow.sourceNamespaces` of the class.",
  },
  {
    id: 'argocd-sync-window',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A window never occurs, has no duration, or names an unknown time zone: correct the field. If the class has windows that allow syncs, set `kind: deny`.',
  },
  {
    id: 'argocd-role',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A class gives admins, editors or viewers actions in Argo CD without `get`, so they can do nothing. Add `get`.',
  },
  {
    id: 'argocd-group',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Argo CD cannot use the name of a group with a role there. The name must not have double quotes, spaces at its ends, or `role:` or `proj:` at its beginning: use another group.',
  },
]);
