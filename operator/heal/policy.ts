import type { Fleet } from '../../model/fleet.ts';
import { resolveTotal } from '../../model/layers/totals.ts';
import { allowedPolicy, requestedPolicy } from '../../model/drift-policy.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { Tenant, wholeKinds, type TenantClass } from '../cluster/kinds.ts';
import { toDeclaration } from '../fleet/declarations.ts';
import type { SharedKeys } from './plan.ts';
import { PRECREATED_SERVICE_ACCOUNTS } from '../../model/operator/access.ts';
import type { AllowedClient } from '@tenantry/runtime/access/restricted-client';
import { allow, type Grant } from '@tenantry/runtime/access/grant';
import { ServiceAccount } from '@tenantry/runtime/kinds/core';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';

/** What the operator does about a tenant's drift. */
export interface Intent {
  /** The policy that the tenant or its class requests. */
  readonly requested: DriftPolicy;
  /** The requested policy, limited to what the platform allows. */
  readonly policy: DriftPolicy;
  /** Keys of quotas for which the tenant has a total over its namespaces. */
  readonly shared: SharedKeys;
}

/** Returns the intent of a Tenant. */
export function resolveIntent(
  tenant: Live<typeof Tenant>,
  fleet: Fleet,
  maxPolicy: DriftPolicy,
): Intent {
  const declaration = toDeclaration(tenant);
  const klass = fleet.classes.resolve(declaration);
  const isKnown = !('severity' in klass);
  const requested = requestedPolicy(declaration, isKnown ? klass : undefined);
  const total = isKnown ? resolveTotal(declaration, klass, fleet.platform) : {};
  return {
    requested,
    policy: allowedPolicy(requested, maxPolicy),
    shared: new Set(Object.keys(total)),
  };
}

type Written = (typeof wholeKinds)[number];

/** The most access that healing can need. */
type HealGrant =
  | Grant<Written, 'create' | 'patch', undefined>
  | Grant<typeof RoleBinding, 'delete', undefined>
  | Grant<typeof Tenant, 'get', undefined>;

/** The client with which the operator heals. */
export type HealClient = AllowedClient<
  | HealGrant
  | Grant<Written, 'get' | 'list', undefined>
  | Grant<typeof TenantClass, 'list', undefined>
>;

/**
 * Returns the access that a policy needs in addition to the access for observing. `Observe` needs none. `Create` needs
 * to create the objects of tenants and to complete the accounts that controllers create. `Heal` also needs to patch
 * them and to delete role bindings. Rights that the operator must hold in order to grant them (`listGrantAccess`) are
 * not included.
 */
export function healAccess(policy: DriftPolicy): readonly HealGrant[] {
  if (policy === 'Observe') return [];
  return [
    allow(Tenant, 'get'),
    ...wholeKinds.map((kind) =>
      policy === 'Heal' ? allow(kind, 'create', 'patch') : allow(kind, 'create'),
    ),
    ...(policy === 'Heal'
      ? [allow(RoleBinding, 'delete')]
      : [allow(ServiceAccount, 'patch').named(...PRECREATED_SERVICE_ACCOUNTS)]),
  ];
}
