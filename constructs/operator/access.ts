import { leaseElectionAccess, type AccessRule, type Verb } from '../../kube/access.ts';
import { builtinResource } from '../../kube/builtin-kinds.ts';
import { tenant } from '../../crds/tenantry/tenant.ts';
import type { ComparedResource } from '../tenant/compared-kinds.ts';
import { tenantClass } from '../../crds/tenantry/tenant-class.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';

/** Of the account, the roles and the lease of the tenant operator. */
export const OPERATOR = 'tenantry-operator';

const RBAC = 'rbac.authorization.k8s.io';

const watched: readonly Verb[] = ['list', 'watch'];
/** Single objects are read whole where they differ from what is declared. */
const read: readonly Verb[] = [...watched, 'get'];

/** What lies in the namespaces of tenants. */
const namespaced: readonly (readonly [group: string, kind: string])[] = [
  ['', 'ResourceQuota'],
  ['', 'LimitRange'],
  ['', 'ServiceAccount'],
  [RBAC, 'Role'],
  [RBAC, 'RoleBinding'],
  ['networking.k8s.io', 'NetworkPolicy'],
  ['policy', 'PodDisruptionBudget'],
];

/** Of what tenants consist (`renderTenantObjects`), besides what they declare in `resources`. */
const observed = [['', 'Namespace'] as const, ...namespaced];

/**
 * ServiceAccounts that controllers make in each new namespace: Kubernetes the first one, OpenShift the next two, and
 * OpenShift Pipelines the last. They are there before anybody can create them as they are declared.
 */
export const PRECREATED_SERVICE_ACCOUNTS: readonly string[] = [
  'default',
  'builder',
  'deployer',
  'pipeline',
];

/** What the operator does about differences. */
export interface OperatorAccessInput {
  /** The most that it may do, whatever tenants say. */
  readonly policy: DriftPolicy;
  /** The ClusterRoles that its role bindings may be of: `clusterRoles` of a Fleet. */
  readonly clusterRoles: readonly string[];
  /** Whether it calls hooks, for which a Tenant that is being deleted may have to wait. @default false */
  readonly hasHooks?: boolean | undefined;
  /** Kinds of `resources` that it compares too, and never writes. @default - none */
  readonly comparedKinds?: readonly ComparedResource[];
}

/**
 * All that the tenant operator may do: it reads what a tenant consists of to compare it with the
 * cluster, says how it stands, and heals as far as the policy goes. Its clients are held to this data, and its
 * roles are made of it.
 */
export function listOperatorAccess(
  namespace: string,
  { policy, clusterRoles, hasHooks = false, comparedKinds = [] }: OperatorAccessInput,
): readonly AccessRule[] {
  const { group, plural: tenants } = tenant;
  // Finalizers are written with the object itself.
  const keeps = hasHooks || policy !== 'Observe';
  return [
    { group, resource: tenants, verbs: watched },
    { group, resource: tenantClass.plural, verbs: watched },
    { group, resource: `${tenants}/status`, verbs: ['patch'] },
    ...(keeps ? [{ group, resource: tenants, verbs: ['patch' as const] }] : []),
    ...observed.map(([group, kind]) => ({ ...builtinResource(group, kind), verbs: read })),
    ...comparedKinds.map(({ group: of, plural }) => ({ group: of, resource: plural, verbs: read })),
    { ...builtinResource('events.k8s.io', 'Event'), verbs: ['create', 'patch'] },
    ...leaseElectionAccess({ name: OPERATOR, namespace }),
    ...listHealingAccess(policy),
    ...listGrantAccess(policy, clusterRoles),
  ];
}

/** What is asked of the API server to make what is missing, and to restore what differs. */
function listHealingAccess(policy: DriftPolicy): readonly AccessRule[] {
  if (policy === 'Observe') return [];
  const written: readonly Verb[] = policy === 'Heal' ? ['create', 'patch'] : ['create'];
  return [
    { group: tenant.group, resource: tenant.plural, verbs: ['get'] },
    ...observed.map(([group, kind]) => ({ ...builtinResource(group, kind), verbs: written })),
    policy === 'Heal'
      ? { ...builtinResource(RBAC, 'RoleBinding'), verbs: ['delete'] }
      : {
          ...builtinResource('', 'ServiceAccount'),
          verbs: ['patch'],
          resourceNames: PRECREATED_SERVICE_ACCOUNTS,
        },
  ];
}

/**
 * What whoever writes roles and bindings must hold, as the API server lets nobody give what they do not hold.
 * No request asks for it by itself, so no client is held to it. ClusterRoles are bound by their names, which
 * classes say. Roles are written by classes and tenants under any name, and with any rule that the class allows.
 */
export function listGrantAccess(
  policy: DriftPolicy,
  clusterRoles: readonly string[],
): readonly AccessRule[] {
  if (policy === 'Observe') return [];
  const names = clusterRoles.toSorted();
  const bound = { ...builtinResource(RBAC, 'ClusterRole'), verbs: ['bind' as const] };
  return [
    ...(names.length > 0 ? [{ ...bound, resourceNames: names }] : []),
    { ...builtinResource(RBAC, 'Role'), verbs: ['bind', 'escalate'] },
  ];
}

/** What who only observes writes: how tenants stand, and what any operator of two replicas does. */
const observeOnlyResources = new Set([
  `${tenant.plural}/status.${tenant.group}`,
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
]);

/** Whether something besides that may be written, which is to be bounded then. */
export function writesBeyondStatus(access: readonly AccessRule[]): boolean {
  return access.some(
    (rule) =>
      !observeOnlyResources.has(formatQualifiedResource(rule)) &&
      rule.verbs.some((verb) => !read.includes(verb)),
  );
}

/** `rolebindings.rbac.authorization.k8s.io`, of what lies in the namespaces of tenants. */
export const tenantResources: readonly string[] = namespaced.map(([group, kind]) =>
  formatQualifiedResource(builtinResource(group, kind)),
);

/** A resource with its group; that of the core has none. */
export function formatQualifiedResource({
  group,
  resource,
}: Pick<AccessRule, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}
