import type { TenantSpec } from '../../../crds/tenant.ts';
import type { Given } from '../given.ts';

/** A repository that the class of `deploying` allows. */
export const gitRepository = 'https://git.example.com/teams/acme.git';

/** A tenant that deploys from its own repository, on a platform with impersonation in Argo CD. */
export function deploying({
  klass,
  platform,
  tenant,
  ...given
}: Given & { argocd?: TenantSpec['argocd'] } = {}): Given {
  const { argocd, ...rest } = given;
  return {
    ...rest,
    klass: {
      ...klass,
      allow: { sourceRepos: ['https://git.example.com/teams/*'], ...klass?.allow },
    },
    platform: { ...platform, argocd: { impersonation: 'Enabled', ...platform?.argocd } },
    tenant: { ...tenant, argocd: { sourceRepos: [gitRepository], ...argocd } },
  };
}
