import type { DriftPolicy } from '../crds/types.ts';
import type { TenantClassDeclaration, TenantDeclaration } from './declaration.ts';

const byReach: readonly DriftPolicy[] = ['Observe', 'Create', 'Heal'];

/** Returns the requested policy, limited to the allowed one. */
export function allowedPolicy(requested: DriftPolicy, maxPolicy: DriftPolicy): DriftPolicy {
  return byReach.indexOf(requested) <= byReach.indexOf(maxPolicy) ? requested : maxPolicy;
}

/** Returns the policy that a tenant requests. The tenant's policy overrides the one of its class. @default - `Observe` */
export function requestedPolicy(
  { spec }: TenantDeclaration,
  klass: TenantClassDeclaration | undefined,
): DriftPolicy {
  return spec.driftPolicy ?? klass?.spec.driftPolicy ?? 'Observe';
}
