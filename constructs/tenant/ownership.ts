/**
 * What Tenantry adds to the metadata of an object that a tenant declares, and nothing more:
 * equality with an imported original ignores exactly these (docs/reference/metadata.md).
 */
export const TENANT_LABEL = 'tenantry.dev/tenant';
export const ENVIRONMENT_LABEL = 'tenantry.dev/environment';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGED_BY = 'tenantry';
export const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
export const CONFIRM = 'Prune=confirm,Delete=confirm';

/** The labels that say whose an object is; the guard policy looks at the first. */
export function ownerLabels(tenant: string): Readonly<Record<string, string>> {
  return { [MANAGED_BY_LABEL]: MANAGED_BY, [TENANT_LABEL]: tenant };
}
