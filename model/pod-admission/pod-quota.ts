import type { ScopedQuota } from '../../crds/quota.ts';
import type { Path } from '@tenantry/kube/problem';
import { parseQuantity } from '@tenantry/kube/quantity';
import { formatAmount } from './amounts.ts';
import {
  sumContainers,
  type Amounts,
  type PodContainer,
  type PodDemand,
} from './workload-demand.ts';

/** A ResourceQuota, with the pods that it counts. */
export type PodQuota = Pick<ScopedQuota, 'name' | 'hard' | 'scopes' | 'scopeSelector'>;

/** The reason why a quota does not admit a pod. */
interface QuotaRefusal {
  readonly key: string;
  /** The path of the container that states too little; empty for the pod as a whole. */
  readonly path: Path;
  /** The problem, such as `a pod that uses 512Mi of limits.memory, of which 256Mi are allowed`. */
  readonly words: string;
  /** The resource that a container does not state, if that is the reason. */
  readonly unstated?: string;
}

/** Resources that each container must state if a quota bounds them. Source: pkg/quota/v1/evaluator/core pods.go */
const required = /^((requests|limits)\.)?(cpu|memory)$/;

/**
 * Lists why a quota that is otherwise unused refuses completed pods.
 * @param copies how many pods of the kind must run at once
 */
export function listQuotaRefusals(quota: PodQuota, pod: PodDemand, copies = 1): QuotaRefusal[] {
  if (pod.statesPodResources || !isCounted(quota, pod)) return [];
  const usage = computePodUsage(quota, pod);
  return Object.entries(quota.hard).flatMap(([key, written]): QuotaRefusal[] => {
    if (written === 'unlimited') return [];
    const hard = parseQuantity(written);
    if (hard === undefined) return [];
    const silent = required.test(key)
      ? pod.containers.find((container) => computeUsage(container).get(key) === undefined)
      : undefined;
    if (silent) {
      const [field, resource] = key.includes('.') ? key.split('.') : ['requests', key];
      const words = `no ${resource} ${field!.slice(0, -1)}, required by ${key} of quota ${quota.name}`;
      return [{ key, path: silent.path, words, unstated: resource! }];
    }
    const used = (usage.get(key) ?? 0n) * BigInt(copies);
    if (used <= hard) return [];
    const of = copies > 1 ? `${copies} pods with` : 'a pod with';
    const words = `${of} ${formatAmount(key, used)} of ${key}, above ${written} of quota ${quota.name}`;
    return [{ key, path: [], words }];
  });
}

/** Adds up what a completed pod uses of a quota, by the quota's keys; nothing if the quota does not count the pod. */
export function computePodUsage(quota: PodQuota, pod: PodDemand): Amounts {
  if (pod.statesPodResources || !isCounted(quota, pod)) return new Map();
  return computeUsage({
    requests: sumContainers(pod, 'requests'),
    limits: sumContainers(pod, 'limits'),
  });
}

/** Computes what a pod uses, by the keys of a quota. Source: podComputeUsageHelper */
function computeUsage({ requests, limits }: Pick<PodContainer, 'requests' | 'limits'>): Amounts {
  const usage = new Map([
    ['pods', parseQuantity(1)!],
    ['count/pods', parseQuantity(1)!],
  ]);
  for (const [resource, amount] of requests) {
    usage.set(`requests.${resource}`, amount);
    if (!resource.includes('/')) usage.set(resource, amount);
  }
  for (const [resource, amount] of limits) {
    if (['cpu', 'memory', 'ephemeral-storage'].includes(resource)) {
      usage.set(`limits.${resource}`, amount);
    }
  }
  return usage;
}

/** Whether a pod is in every scope of a quota. */
function isCounted({ scopes = [], scopeSelector = [] }: PodQuota, pod: PodDemand): boolean {
  return (
    scopes.every((scope) => isInScope(scope, pod)) &&
    scopeSelector.every(({ scopeName, operator, values = [] }) => {
      if (scopeName !== 'PriorityClass' || operator === 'Exists') return isInScope(scopeName, pod);
      const { priorityClass } = pod;
      if (operator === 'DoesNotExist') return priorityClass === undefined;
      const isNamed = priorityClass !== undefined && values.includes(priorityClass);
      return operator === 'In' ? isNamed : !isNamed;
    })
  );
}

function isInScope(scope: NonNullable<PodQuota['scopes']>[number], pod: PodDemand): boolean {
  switch (scope) {
    case 'Terminating':
      return pod.isTerminating;
    case 'NotTerminating':
      return !pod.isTerminating;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return pod.priorityClass !== undefined;
    case 'CrossNamespacePodAffinity':
      return pod.usesOtherNamespaces;
  }
}

/** Whether no container states any cpu or memory. Source: pkg/apis/core/v1/helper/qos ComputePodQOS */
function isBestEffort({ containers }: PodDemand): boolean {
  return containers.every(({ requests, limits }) =>
    [requests, limits].every(
      (amounts) => !['cpu', 'memory'].some((key) => (amounts.get(key) ?? 0n) > 0n),
    ),
  );
}

/** Puts a pod into the scopes of a quota, as far as the pod can choose them. */
export function placeInScopes(
  pod: PodDemand,
  { scopes = [], scopeSelector = [] }: PodQuota,
): PodDemand {
  const all = new Set([...scopes, ...scopeSelector.map(({ scopeName }) => scopeName)]);
  const named = scopeSelector.find(({ operator }) => operator === 'In')?.values?.[0];
  const isUnnamed = scopeSelector.some(
    ({ scopeName, operator }) =>
      scopeName === 'PriorityClass' && (operator === 'DoesNotExist' || operator === 'NotIn'),
  );
  return {
    ...pod,
    isTerminating: all.has('Terminating'),
    priorityClass: all.has('PriorityClass') && !isUnnamed ? (named ?? 'any') : undefined,
    usesOtherNamespaces: all.has('CrossNamespacePodAffinity'),
  };
}
