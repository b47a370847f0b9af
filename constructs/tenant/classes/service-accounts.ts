import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import { matchesName } from '../name-pattern.ts';

/** Whether tenants of the class may give access to a service account outside of their namespaces. */
export function allowsServiceAccount(
  { allow }: TenantClassSpec,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): boolean {
  return (allow?.serviceAccounts ?? []).some(
    (entry) => entry.namespace === namespace && matchesName([entry.name ?? '*'], name),
  );
}
