import { PRECREATED_SERVICE_ACCOUNTS } from '../../constructs/operator/access.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import type { AllowedClient } from '../../runtime/access/allowed-client.ts';
import { allow, type Grant } from '../../runtime/access/grant.ts';
import { ServiceAccount } from '../../runtime/kinds/core.ts';
import { RoleBinding } from '../../runtime/kinds/rbac.ts';
import { Tenant, wholeKinds, type TenantClass } from '../cluster/kinds.ts';

type Written = (typeof wholeKinds)[number];

/** What healing may do at the most. */
export type HealGrant =
  | Grant<Written, 'create' | 'patch', undefined>
  | Grant<typeof RoleBinding, 'delete', undefined>
  | Grant<typeof Tenant, 'get', undefined>;

/** The client by which the operator heals. */
export type HealClient = AllowedClient<
  | HealGrant
  | Grant<Written, 'get' | 'list', undefined>
  | Grant<typeof TenantClass, 'list', undefined>
>;

/**
 * What the operator asks of the API server for a policy, besides what it needs to observe: nothing to observe, to
 * create what tenants consist of and to complete the accounts that controllers make, and to heal it, also to patch it and
 * to delete role bindings. What it must hold
 * to give it to others (`listGrantAccess`) is no request.
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
