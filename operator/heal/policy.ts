import type { Fleet } from '../../constructs/tenant/fleet.ts';
import { resolveTotal } from '../../constructs/tenant/layers/resolve.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';
import { declarationOf } from '../fleet/claimants.ts';
import type { SharedKeys } from './shares.ts';

/** What is to be done about the differences of a tenant. */
export interface Intent {
  /** What it or its class asks for. */
  readonly asked: DriftPolicy;
  /** The same as far as it is allowed. */
  readonly policy: DriftPolicy;
  /** Keys of quotas of which it has a total over its namespaces. */
  readonly shared: SharedKeys;
}

const byReach: readonly DriftPolicy[] = ['Observe', 'Create', 'Heal'];

/** What is asked for, as far as it is allowed. */
export function allowedPolicy(asked: DriftPolicy, most: DriftPolicy): DriftPolicy {
  return byReach.indexOf(asked) <= byReach.indexOf(most) ? asked : most;
}

/** A tenant says it itself, or else its class does; neither: it is observed. */
export function intentOf(tenant: Live<typeof Tenant>, fleet: Fleet, most: DriftPolicy): Intent {
  const declaration = declarationOf(tenant);
  const klass = fleet.classOf(declaration);
  const isKnown = !('severity' in klass);
  const asked =
    declaration.spec.driftPolicy ?? (isKnown ? klass.spec.driftPolicy : undefined) ?? 'Observe';
  const total = isKnown ? resolveTotal(declaration, klass) : {};
  return { asked, policy: allowedPolicy(asked, most), shared: new Set(Object.keys(total)) };
}
