import type { Platform } from './declaration.ts';

/** The prefix. The dot makes a collision with accounts that people create for programs unlikely. */
const PREFIX = 'sync.';

/**
 * Returns the account as which Argo CD syncs what a tenant has in its own repositories. There is no object of it:
 * access and impersonation go by names. So nobody can get a token of it, run a pod as it, or delete it. Its namespace
 * is the operator's, which no tenant can have (docs/adr/0082-tenant-applications-impersonate-the-tenant.md).
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
