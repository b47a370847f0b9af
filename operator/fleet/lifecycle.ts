import { namespaceName } from '../../constructs/tenant/claims.ts';
import { pickStricterLifecycle } from '../../constructs/tenant/layers/resolved.ts';
import type { Lifecycle } from '../../crds/tenantry/types.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';

/** How alive a namespace of a tenant is; one that it no longer names is as alive as the tenant. */
export function lifecycleOf({ spec = {} }: Live<typeof Tenant>, namespace: string): Lifecycle {
  const entry = spec.namespaces?.find(
    (one) => namespaceName(spec.namespacePrefix, one) === namespace,
  );
  return pickStricterLifecycle(spec.lifecycle, entry?.lifecycle);
}
