import { PRECREATED_SERVICE_ACCOUNTS } from '../../constructs/operator/access.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import type { AllowedClient } from '../../runtime/access/allowed-client.ts';
import { allow, type Grant } from '../../runtime/access/grant.ts';
import { ServiceAccount } from '../../runtime/kinds/core.ts';
import { RoleBinding } from '../../runtime/kinds/rbac.ts';
import { Tenant, wholeKinds, type TenantClass } from '../cluster/kinds.ts';

type Written = (typeof wholeKinds)[number];

/** The most access that healing can need. */
export type HealGrant =
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
