import { groupOf, type KubeObject } from '../../../kube/object.ts';
import { isMapping, listAt, valueAt } from '../../../kube/mapping.ts';
import type { Path } from '../../../kube/problem.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { readPodDemand, type PodDemand } from './pod-resources.ts';

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
