import { leaseElectionAccess, type AccessRule, type Verb } from '@tenantry/kube/access';
import { builtinResource } from '@tenantry/kube/builtin-kinds';
import { accessRequest } from '../../crds/access-request.ts';
import { tenant } from '../../crds/tenant.ts';
import type { ComparedResource } from '../compared-kinds.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { REQUEST_POLICY } from './request-policy.ts';
import type { DriftPolicy } from '../../crds/types.ts';

/** The name of the tenant operator's account, roles and lease. */
export const OPERATOR = 'tenantry-operator';

const RBAC = 'rbac.authorization.k8s.io';

const watched: readonly Verb[] = ['list', 'watch'];
/** An object that has drifted is read whole. */
const read: readonly Verb[] = [...watched, 'get'];

/** The kinds that a tenant's namespaces contain. */
const namespaced: readonly (readonly [group: string, kind: string])[] = [
  ['', 'ResourceQuota'],
  ['', 'LimitRange'],
  ['', 'ServiceAccount'],
  [RBAC, 'Role'],
  [RBAC, 'RoleBinding'],
  ['networking.k8s.io', 'NetworkPolicy'],
  ['policy', 'PodDisruptionBudget'],
];

/** The kinds that tenants consist of (`renderTenantObjects`), without those that they declare in `resources`. */
const observed = [['', 'Namespace'] as const, ...namespaced];

/**
 * ServiceAccounts that controllers create in each new namespace. Kubernetes creates the first one,
 * OpenShift the next two, and OpenShift Pipelines the last. They exist before anybody can create
 * them as declared.
 */
export const PRECREATED_SERVICE_ACCOUNTS: readonly string[] = [
  'default',
  'builder',
  'deployer',
  'pipeline',
];

/** What determines the rights of the operator. */
interface OperatorAccessInput {
  /** The most that the operator may do about drift, whatever tenants declare. */
  readonly policy: DriftPolicy;
  /** The ClusterRoles that the operator's role bindings may refer to: `clusterRoles` of a ClassRegistry. */
  readonly clusterRoles: readonly string[];
  /** Whether it calls hooks; the deletion of a Tenant may have to wait for them. @default false */
  readonly hasHooks?: boolean | undefined;
  /** Kinds of `resources` that it also compares, and never writes. @default - none */
  readonly comparedKinds?: readonly ComparedResource[];
}

/**
 * Lists all rights of the tenant operator. It reads what a tenant consists of, compares it with the
 * cluster, writes the status, and heals as far as the policy allows. The same data restricts its
 * clients and makes its roles.
 */
export function listOperatorAccess(
  namespace: string,
  { policy, clusterRoles, hasHooks = false, comparedKinds = [] }: OperatorAccessInput,
): readonly AccessRule[] {
  const { group, plural: tenants } = tenant;
  // Finalizers are part of the object itself, not of its status.
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
    ...listRequestAccess(policy),
    ...listGrantAccess(policy, clusterRoles),
  ];
}

/** Lists the rights to create missing objects and to restore objects that have drifted. */
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

/** Lists the rights to decide about AccessRequests. */
function listRequestAccess(policy: DriftPolicy): readonly AccessRule[] {
  if (policy !== 'Heal') return [];
  const { group, plural } = accessRequest;
  const policies = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'] as const;
  return [
    { group, resource: plural, verbs: [...watched, 'delete'] },
    { group, resource: `${plural}/status`, verbs: ['patch'] },
    ...policies.map((kind) => ({
      ...builtinResource('admissionregistration.k8s.io', kind),
      verbs: watched,
      resourceNames: [REQUEST_POLICY],
    })),
  ];
}

/**
 * Lists the rights that the API server requires of a subject that writes roles and bindings: nobody
 * can grant rights that they do not have.
 *
 * No single request uses these rights, so they do not restrict the clients. ClusterRoles are bound
 * by name, and classes list the names. Classes and tenants may write Roles under any name, with any
 * rule that the class allows.
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

/** What an observe-only operator writes: the status of tenants, events, and the Lease of a leader election. */
const observeOnlyResources = new Set([
  `${tenant.plural}/status.${tenant.group}`,
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
]);

/** Returns whether the access includes other writes, which a policy must then bound. */
export function writesBeyondStatus(access: readonly AccessRule[]): boolean {
  return access.some(
    (rule) =>
      !observeOnlyResources.has(formatQualifiedResource(rule)) &&
      rule.verbs.some((verb) => !read.includes(verb)),
  );
}

/** The resources in a tenant's namespaces, such as `rolebindings.rbac.authorization.k8s.io`. */
export const tenantResources: readonly string[] = namespaced.map(([group, kind]) =>
  formatQualifiedResource(builtinResource(group, kind)),
);

/** Formats a resource with its group; the core group adds nothing. */
export function formatQualifiedResource({
  group,
  resource,
}: Pick<AccessRule, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}
