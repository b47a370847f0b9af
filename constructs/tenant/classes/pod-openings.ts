import type { ScopedQuota } from '../../../crds/tenantry/quota.ts';
import { TERMINATION_SECONDS } from '../../../crds/tenantry/self-service.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';

/**
 * The PriorityClasses that Kubernetes reserves for itself: their pods evict the pods of all others.
 * Source: https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/
 */
export const SYSTEM_PRIORITIES: readonly string[] = [
  'system-cluster-critical',
  'system-node-critical',
];

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
