import { leaseElectionAccess, type AccessRule, type Verb } from '../../kube/access.ts';
import { builtinResource } from '../../kube/builtinkinds.ts';
import { tenant } from '../../crds/tenantry/tenant.ts';
import { tenantClass } from '../../crds/tenantry/tenantclass.ts';

/** Of the account, the roles and the lease of the tenant operator. */
export const OPERATOR = 'tenantry-operator';

const watched: readonly Verb[] = ['list', 'watch'];
/** Single objects are read whole where they differ from what is declared. */
const read: readonly Verb[] = [...watched, 'get'];

/** Of what tenants consist (`tenantObjects`), besides what they declare in `resources`. */
const observed: readonly (readonly [group: string, kind: string])[] = [
  ['', 'Namespace'],
  ['', 'ResourceQuota'],
  ['', 'LimitRange'],
  ['', 'ServiceAccount'],
  ['rbac.authorization.k8s.io', 'Role'],
  ['rbac.authorization.k8s.io', 'RoleBinding'],
  ['networking.k8s.io', 'NetworkPolicy'],
  ['policy', 'PodDisruptionBudget'],
];

/**
 * All that the tenant operator may do: it reads what a tenant consists of to compare it with the
 * cluster, and says how it stands. Its clients are held to this data, and its roles are made of it.
 */
export function operatorAccess(namespace: string): readonly AccessRule[] {
  const { group, plural: tenants } = tenant;
  return [
    { group, resource: tenants, verbs: watched },
    { group, resource: tenantClass.plural, verbs: watched },
    { group, resource: `${tenants}/status`, verbs: ['patch'] },
    ...observed.map(([group, kind]) => ({ ...builtinResource(group, kind), verbs: read })),
    { ...builtinResource('events.k8s.io', 'Event'), verbs: ['create', 'patch'] },
    ...leaseElectionAccess({ name: OPERATOR, namespace }),
  ];
}
