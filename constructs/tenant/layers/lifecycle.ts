import type { Lifecycle } from '../../../crds/tenantry/settings.ts';

const strength: readonly Lifecycle[] = ['Active', 'Suspended', 'Retired'];

/** Returns the stricter lifecycle: a namespace can be retired before its tenant, and is never more active than it. */
export function pickStricterLifecycle(a: Lifecycle = 'Active', b: Lifecycle = 'Active'): Lifecycle {
  return strength[Math.max(strength.indexOf(a), strength.indexOf(b))]!;
}
