import type { Platform } from './declaration.ts';

/** No account that somebody makes for a program has a dot in its name by chance. */
const PREFIX = 'sync.';

/**
 * The account as which Argo CD syncs what a tenant has in its own repositories. There is no object of
 * it: rights and impersonation go by names, so nobody can get a token of it, run a pod as it, or delete
 * it. Its namespace is the operator's, which no tenant can have (docs/adr/0082-applications-of-tenants.md).
 */
export function syncAccount(
  { operatorNamespace }: Platform,
  tenant: string,
): { readonly namespace: string; readonly name: string } {
  return { namespace: operatorNamespace, name: `${PREFIX}${tenant}` };
}

/** Whether a service account of this name is one as which Argo CD syncs. */
export function isSyncAccount(name: string): boolean {
  return name.startsWith(PREFIX);
}
