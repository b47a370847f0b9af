import { listAt, isMapping, valueAt } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import { parseQuantity } from '@tenantry/kube/quantity';
import { groupOf, type KubeObject } from '@tenantry/kube/object';

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

/** The pods that an object describes. */
export interface WorkloadPods {
  readonly pod: PodDemand;
  /** The path of the pod spec in the object. */
  readonly path: Path;
  /** The minimum number of pods at once; undefined if the object does not determine it. */
  readonly copies: number | undefined;
}

/** The path of the pod spec, by `group/Kind`. */
const specPaths: Readonly<Record<string, Path>> = {
  '/Pod': ['spec'],
  '/ReplicationController': ['spec', 'template', 'spec'],
  'apps/DaemonSet': ['spec', 'template', 'spec'],
  'apps/Deployment': ['spec', 'template', 'spec'],
  'apps/ReplicaSet': ['spec', 'template', 'spec'],
  'apps/StatefulSet': ['spec', 'template', 'spec'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  'batch/Job': ['spec', 'template', 'spec'],
};

const replicated: ReadonlySet<string> = new Set([
  '/ReplicationController',
  'apps/Deployment',
  'apps/ReplicaSet',
  'apps/StatefulSet',
]);

/** Reads the pods of one of Kubernetes' own workloads; undefined for every other object. */
export function readWorkloadPods(manifest: KubeObject): WorkloadPods | undefined {
  const id = `${groupOf(manifest.apiVersion)}/${manifest.kind}`;
  const path = Object.hasOwn(specPaths, id) ? specPaths[id] : undefined;
  const spec = path && valueAt(manifest, path);
  if (!path || !isMapping(spec)) return undefined;
  return { pod: readPodDemand(spec), path, copies: readCopies(manifest, id) };
}

function readCopies(manifest: KubeObject, id: string): number | undefined {
  if (id === '/Pod') return 1;
  if (!replicated.has(id)) return undefined;
  const replicas = valueAt(manifest, ['spec', 'replicas']);
  return typeof replicas === 'number' ? replicas : 1;
}

/** A claim on storage, and the number of such claims. */
export interface StorageClaim {
  readonly storage: bigint;
  readonly storageClass: string | undefined;
  /** The path of the request in the object. */
  readonly path: Path;
  readonly copies: number;
}

/** Lists the claims of a PersistentVolumeClaim or a StatefulSet, and of the ephemeral volumes of pods. */
export function readStorageClaims(manifest: KubeObject): StorageClaim[] {
  const id = `${groupOf(manifest.apiVersion)}/${manifest.kind}`;
  if (id === '/PersistentVolumeClaim') return readStorageClaim(manifest, [], 1);
  const copies = readCopies(manifest, id) ?? 1;
  const claims = (at: Path, below: Path): StorageClaim[] =>
    listAt(manifest, at).flatMap((_, i) => {
      const path = [...at, i, ...below];
      return readStorageClaim(valueAt(manifest, path), path, copies);
    });
  const specPath = Object.hasOwn(specPaths, id) ? specPaths[id] : undefined;
  return [
    ...(id === 'apps/StatefulSet' ? claims(['spec', 'volumeClaimTemplates'], []) : []),
    ...(specPath ? claims([...specPath, 'volumes'], ['ephemeral', 'volumeClaimTemplate']) : []),
  ];
}

function readStorageClaim(claim: unknown, at: Path, copies: number): StorageClaim[] {
  const path = ['spec', 'resources', 'requests', 'storage'];
  const written = valueAt(claim, path);
  if (typeof written !== 'string' && typeof written !== 'number') return [];
  const storage = parseQuantity(written);
  if (storage === undefined) return [];
  const named = valueAt(claim, ['spec', 'storageClassName']);
  const storageClass = typeof named === 'string' && named !== '' ? named : undefined;
  return [{ storage, storageClass, path: [...at, ...path], copies }];
}
