import { levels, type Level } from '@tenantry/kube/cluster-roles';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { ScopedQuota } from '../../crds/quota.ts';
import { TERMINATION_SECONDS } from '../../crds/self-service.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import { matchesName } from '../name-pattern.ts';

/** Resolves the ClusterRoles behind admins, editors and viewers. */
export function resolveAccessRoles({
  roles: { applications: _machine, ...people } = {},
}: TenantClassSpec) {
  return { admins: 'admin', editors: 'edit', viewers: 'view', ...people };
}

/** Returns the ClusterRole of the account as which Argo CD syncs Applications of tenants. */
export function resolveApplicationsRole(klass: TenantClassSpec): string {
  return klass.roles?.applications ?? resolveAccessRoles(klass).editors;
}

/** Lists the ClusterRoles that a tenant of the class may bind inside its namespaces. */
export function listBindableRoles(klass: TenantClassSpec): readonly string[] {
  return [...Object.values(resolveAccessRoles(klass)), ...(klass.allow?.clusterRoles ?? [])];
}

/** Returns the highest of Kubernetes' own ClusterRoles among them. */
export function findHighestBindableRole(klass: TenantClassSpec): Level | undefined {
  const given = new Set(listBindableRoles(klass));
  return levels.findLast((level) => given.has(level));
}

/**
 * Lists the ClusterRoles that tenants of any of these classes may bind, including those of exceptions and of the
 * accounts that sync; never cluster-admin. Sorted by name.
 */
export function listAllBindableRoles(
  classes: readonly TenantClassDeclaration[],
): readonly string[] {
  const all = classes.flatMap(({ spec }) => [
    ...listBindableRoles(spec),
    resolveApplicationsRole(spec),
    ...(spec.exceptions ?? []).flatMap(({ allow }) => allow?.clusterRoles ?? []),
  ]);
  return [...new Set(all)].filter((name) => name !== 'cluster-admin').toSorted();
}

/** Whether tenants of the class may give access to a service account outside of their namespaces. */
export function allowsServiceAccount(
  { allow }: TenantClassSpec,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): boolean {
  return (allow?.serviceAccounts ?? []).some(
    (entry) => entry.namespace === namespace && matchesName([entry.name ?? '*'], name),
  );
}

/** A key that tenants may set: a full key, or a prefix with a `*`. */
export interface OpenKey {
  readonly key: string;
  /** The allowed values. Absent: any value. */
  readonly values?: readonly string[];
}

/**
 * The keys that tenants may set on their namespaces unless the class overrides them: Kubernetes' recommended labels
 * that name no owner, and keys that no known controller reads.
 * Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/
 */
export const builtinOpenKeys: readonly OpenKey[] = [
  'app.kubernetes.io/name',
  'app.kubernetes.io/version',
  'app.kubernetes.io/component',
  'app.kubernetes.io/part-of',
  'team',
  'owner',
  'project',
  'component',
  'purpose',
  'description',
].map((key) => ({ key }));

/**
 * The PriorityClasses that Kubernetes reserves for itself: their pods evict the pods of all others.
 * Source: https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/
 */
const SYSTEM_PRIORITIES: readonly string[] = ['system-cluster-critical', 'system-node-critical'];

/** Matches every PriorityClass except those of Kubernetes. */
const ORDINARY = '*';

/** Lists the PriorityClasses that pods of the class may have; `*` is every one except those of Kubernetes. */
export function listAllowedPriorityClasses({ allow }: TenantClassSpec): readonly string[] {
  return allow?.priorityClasses ?? [ORDINARY];
}

/** Whether pods of the class may have a PriorityClass. */
export function allowsPriority(spec: TenantClassSpec, name: string): boolean {
  const allowed = listAllowedPriorityClasses(spec);
  return (
    allowed.includes(name) || (allowed.includes(ORDINARY) && !SYSTEM_PRIORITIES.includes(name))
  );
}

/** Selects the pods whose PriorityClass the class does not allow, as a scope of a quota; undefined if it allows all. */
export function selectRefusedPriorities(spec: TenantClassSpec): ScopedQuota['scopeSelector'] {
  const allowed = listAllowedPriorityClasses(spec);
  const scopeName = 'PriorityClass';
  if (allowed.includes(ORDINARY)) {
    const values = SYSTEM_PRIORITIES.filter((name) => !allowed.includes(name));
    return values.length > 0 ? [{ scopeName, operator: 'In', values }] : undefined;
  }
  // NotIn alone would also select pods without a PriorityClass.
  const hasOne = { scopeName, operator: 'Exists' } as const;
  return allowed.length > 0
    ? [hasOne, { scopeName, operator: 'NotIn', values: allowed.toSorted() }]
    : [hasOne];
}

/** Whether pods of the class may have affinity to pods of other namespaces, or anti-affinity. */
export function allowsCrossNamespaceAffinity({ allow }: TenantClassSpec): boolean {
  return allow?.crossNamespaceAffinity === 'Allow';
}

/** Whether objects of kinds that no quota names are not counted. */
export function allowsUncountedObjects({ allow }: TenantClassSpec): boolean {
  return allow?.uncountedObjects === 'Allow';
}

/** Returns the maximum grace period of a pod. */
export function resolveMaxTerminationSeconds({ ceilings }: TenantClassSpec): number {
  return ceilings?.terminationSeconds ?? TERMINATION_SECONDS;
}

/** Taints that the API server and the kubelets set on failing nodes: a toleration only keeps a pod where it is. */
export const ALWAYS_TOLERATED: readonly string[] = [
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
];

/** A toleration of a pod. */
export interface Toleration {
  readonly key?: string | null;
  readonly operator?: string | null;
  readonly value?: string | null;
}

/** Whether pods of the class may have a toleration. */
export function allowsToleration({ allow }: TenantClassSpec, toleration: Toleration): boolean {
  const key = toleration.key ?? '';
  if (ALWAYS_TOLERATED.includes(key)) return true;
  const isEqual = (toleration.operator ?? 'Equal') === 'Equal';
  return (allow?.tolerations ?? []).some((open) => {
    const isOpen = open.key.endsWith('*')
      ? key.startsWith(open.key.slice(0, -1))
      : key === open.key;
    return isOpen && (!open.values || (isEqual && open.values.includes(toleration.value ?? '')));
  });
}

/** Formats the taints that the class allows, one word each as the admission policies read them: `key`, `key=value`. */
export function formatTolerations({ allow }: TenantClassSpec): readonly string[] {
  return (allow?.tolerations ?? []).flatMap(({ key, values }) =>
    values ? values.map((value) => `${key}=${value}`) : [key],
  );
}
