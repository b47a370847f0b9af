import type { Fleet } from '../../constructs/tenant/fleet.ts';
import { resolveTotal } from '../../constructs/tenant/layers/resolve.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';
import { declarationOf } from '../fleet/claimants.ts';
import type { SharedKeys } from './shares.ts';

/** What the operator does about a tenant's drift. */
export interface Intent {
  /** The policy that the tenant or its class requests. */
  readonly asked: DriftPolicy;
  /** The requested policy, limited to what the platform allows. */
  readonly policy: DriftPolicy;
  /** Keys of quotas for which the tenant has a total over its namespaces. */
  readonly shared: SharedKeys;
}

const byReach: readonly DriftPolicy[] = ['Observe', 'Create', 'Heal'];

/** Returns the requested policy, limited to the allowed one. */
export function allowedPolicy(asked: DriftPolicy, most: DriftPolicy): DriftPolicy {
  return byReach.indexOf(asked) <= byReach.indexOf(most) ? asked : most;
}

/** Returns the intent of a Tenant. The tenant's policy overrides the one of its class. @default - `Observe` */
export function intentOf(tenant: Live<typeof Tenant>, fleet: Fleet, most: DriftPolicy): Intent {
  const declaration = declarationOf(tenant);
  const klass = fleet.classOf(declaration);
  const isKnown = !('severity' in klass);
  const asked =
    declaration.spec.driftPolicy ?? (isKnown ? klass.spec.driftPolicy : undefined) ?? 'Observe';
  const total = isKnown ? resolveTotal(declaration, klass) : {};
  return { asked, policy: allowedPolicy(asked, most), shared: new Set(Object.keys(total)) };
}
