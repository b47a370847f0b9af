import type { AccessRule, Verb } from '../../kube/access.ts';

/** Of the account, the roles and the lease of the tenant operator. */
export const OPERATOR = 'tenantry-operator';

const read: readonly Verb[] = ['get', 'list', 'watch'];

/** What the operator reads to compare a tenant with the cluster: the kinds that it declares. */
const observed: readonly (readonly [group: string, resource: string])[] = [
  ['', 'namespaces'],
  ['', 'resourcequotas'],
  ['', 'limitranges'],
  ['', 'serviceaccounts'],
  ['rbac.authorization.k8s.io', 'roles'],
  ['rbac.authorization.k8s.io', 'rolebindings'],
  ['networking.k8s.io', 'networkpolicies'],
  ['policy', 'poddisruptionbudgets'],
];

/**
 * All that the tenant operator may do. Its clients are held to it, and its roles are made of it.
 *
 * Of the lease by which a replica leads it may read and renew the one that is its own; RBAC cannot hold
 * the creation to a name.
 */
export function operatorAccess(namespace: string): readonly AccessRule[] {
  const lease = { group: 'coordination.k8s.io', resource: 'leases', namespaces: [namespace] };
  return [
    { group: 'tenantry.dev', resource: 'tenants', verbs: read },
    { group: 'tenantry.dev', resource: 'tenantclasses', verbs: read },
    { group: 'tenantry.dev', resource: 'tenants/status', verbs: ['update', 'patch'] },
    ...observed.map(([group, resource]) => ({ group, resource, verbs: read })),
    { group: 'events.k8s.io', resource: 'events', verbs: ['create', 'patch'] },
    { ...lease, verbs: ['get', 'update'], resourceNames: [OPERATOR] },
    { ...lease, verbs: ['create'] },
  ];
}
