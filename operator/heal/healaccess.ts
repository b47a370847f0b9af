import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import type { AllowedClient } from '../../runtime/access/allowedclient.ts';
import { allow, type Grant } from '../../runtime/access/grant.ts';
import { ClusterRole, Role, RoleBinding } from '../../runtime/kinds/rbac.ts';
import { Tenant, wholeKinds } from '../cluster/kinds.ts';

type Written = (typeof wholeKinds)[number];

/** What healing may do at the most. */
export type HealGrant =
  | Grant<Written, 'create' | 'patch', undefined>
  | Grant<typeof RoleBinding, 'delete', undefined>
  | Grant<typeof Tenant, 'get', undefined>
  | Grant<typeof ClusterRole | typeof Role, 'bind' | 'escalate', undefined>;

/** The client by which the operator heals. */
export type HealClient = AllowedClient<HealGrant | Grant<Written, 'get' | 'list', undefined>>;

/**
 * What the operator has to be allowed for a policy, besides what it needs to observe: nothing to observe, to
 * create what tenants consist of, and to heal it, also to patch it and to delete role bindings.
 *
 * The API server lets nobody give what they do not hold. ClusterRoles are bound by their names, which classes
 * say. Roles are written by classes and tenants under any name, and with any rule that the class allows: for
 * these the operator has `escalate`, and `bind`.
 * @param clusterRoles that classes may bind, see `bindableOfAll`
 */
export function healAccess(
  policy: DriftPolicy,
  clusterRoles: readonly string[],
): readonly HealGrant[] {
  if (policy === 'Observe') return [];
  const roles = clusterRoles.toSorted();
  return [
    allow(Tenant, 'get'),
    ...wholeKinds.map((kind) =>
      policy === 'Heal' ? allow(kind, 'create', 'patch') : allow(kind, 'create'),
    ),
    ...(policy === 'Heal' ? [allow(RoleBinding, 'delete')] : []),
    ...(roles.length > 0 ? [allow(ClusterRole, 'bind').named(...roles)] : []),
    allow(Role, 'bind', 'escalate'),
  ];
}
