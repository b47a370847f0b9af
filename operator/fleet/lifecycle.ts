import { namespaceName } from '../../constructs/tenant/claims.ts';
import { pickStricterLifecycle } from '../../constructs/tenant/layers/resolved.ts';
import type { Lifecycle } from '../../crds/tenantry/types.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';

/**
 * Returns the lifecycle of a tenant's namespace. A namespace that it no longer names has the lifecycle of the tenant.
 */
export function lifecycleOf({ spec = {} }: Live<typeof Tenant>, namespace: string): Lifecycle {
  const entry = spec.namespaces?.find(
    (one) => namespaceName(spec.namespacePrefix, one) === namespace,
  );
  return pickStricterLifecycle(spec.lifecycle, entry?.lifecycle);
}
