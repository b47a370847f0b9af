import { listAt, isMapping, valueAt } from '../../../kube/mapping.ts';
import type { Path } from '../../../kube/problem.ts';
import { parseQuantity } from '../../../kube/quantity.ts';

/** Amounts by resource, in billionths. */
export type Amounts = ReadonlyMap<string, bigint>;

/** A container as the API server compares it with limits and quotas. */
export interface PodContainer {
  readonly name: string;
  /** The role of the container. A sidecar is an init container that keeps running beside the others. */
  readonly role: 'container' | 'init' | 'sidecar';
  /** The path in the spec of the pod. */
  readonly path: Path;
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** What decides whether a LimitRange and quotas admit a pod. */
export interface PodDemand {
  readonly containers: readonly PodContainer[];
  /** Whether it has an `activeDeadlineSeconds`, which the scope Terminating selects. */
  readonly isTerminating: boolean;
  readonly priorityClass: string | undefined;
  readonly usesOtherNamespaces: boolean;
  /** Whether it states `spec.resources` for the pod as a whole, which replace the sums of its containers. */
  readonly statesPodResources: boolean;
}

/** A pod of one container that states no resources. */
export const blankPod: PodDemand = {
  containers: [{ name: '', role: 'container', path: [], requests: new Map(), limits: new Map() }],
  isTerminating: false,
  priorityClass: undefined,
  usesOtherNamespaces: false,
  statesPodResources: false,
};

/** Reads the spec of a pod. Malformed parts are left out, because the schema reports them. */
export function readPodDemand(spec: unknown): PodDemand {
  const deadline = valueAt(spec, ['activeDeadlineSeconds']);
  const priorityClass = valueAt(spec, ['priorityClassName']);
  const pod = valueAt(spec, ['resources']);
  return {
    containers: [...readContainers(spec, 'containers'), ...readContainers(spec, 'initContainers')],
    isTerminating: typeof deadline === 'number' && deadline >= 0,
    priorityClass: typeof priorityClass === 'string' && priorityClass ? priorityClass : undefined,
    usesOtherNamespaces: (['podAffinity', 'podAntiAffinity'] as const).some((kind) =>
      affinityTerms(valueAt(spec, ['affinity', kind])).some(
        (term) =>
          listAt(term, ['namespaces']).length > 0 ||
          isMapping(valueAt(term, ['namespaceSelector'])),
      ),
    ),
    statesPodResources: ['requests', 'limits'].some(
      (field) => readAmounts(valueAt(pod, [field])).size > 0,
    ),
  };
}

function readContainers(spec: unknown, list: 'containers' | 'initContainers'): PodContainer[] {
  return listAt(spec, [list]).map((container, i) => {
    const isSidecar = valueAt(container, ['restartPolicy']) === 'Always';
    const initRole = isSidecar ? 'sidecar' : 'init';
    return {
      name: String(valueAt(container, ['name']) ?? ''),
      role: list === 'containers' ? 'container' : initRole,
      path: [list, i],
      requests: readAmounts(valueAt(container, ['resources', 'requests'])),
      limits: readAmounts(valueAt(container, ['resources', 'limits'])),
    };
  });
}

function affinityTerms(affinity: unknown): unknown[] {
  const preferred = listAt(affinity, ['preferredDuringSchedulingIgnoredDuringExecution']);
  return [
    ...listAt(affinity, ['requiredDuringSchedulingIgnoredDuringExecution']),
    ...preferred.map((one) => valueAt(one, ['podAffinityTerm'])),
  ];
}

/** Reads amounts; values that are not quantities are left out. */
export function readAmounts(written: unknown): Amounts {
  const amounts = new Map<string, bigint>();
  for (const [key, value] of Object.entries(isMapping(written) ? written : {})) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const amount = parseQuantity(value);
    if (amount !== undefined) amounts.set(key, amount);
  }
  return amounts;
}

/**
 * Computes what a pod needs at once: the sum of its containers and sidecars, or an init container with the sidecars
 * before it, whichever is larger.
 * Source: k8s.io/component-helpers/resource AggregateContainerRequests
 */
export function sumContainers(pod: PodDemand, field: 'requests' | 'limits'): Amounts {
  const running = new Map<string, bigint>();
  const sidecars = new Map<string, bigint>();
  const starting = new Map<string, bigint>();
  for (const container of pod.containers) {
    const amounts = container[field];
    if (container.role !== 'init') addAmounts(running, amounts);
    if (container.role === 'container') continue;
    if (container.role === 'sidecar') addAmounts(sidecars, amounts);
    const atOnce = new Map(sidecars);
    if (container.role === 'init') addAmounts(atOnce, amounts);
    raiseAmounts(starting, atOnce);
  }
  raiseAmounts(running, starting);
  return running;
}

function addAmounts(sum: Map<string, bigint>, amounts: Amounts): void {
  for (const [key, amount] of amounts) sum.set(key, (sum.get(key) ?? 0n) + amount);
}

function raiseAmounts(most: Map<string, bigint>, amounts: Amounts): void {
  for (const [key, amount] of amounts) {
    const known = most.get(key);
    if (known === undefined || known < amount) most.set(key, amount);
  }
}
