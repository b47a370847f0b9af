import { groupOf, type KubeObject } from '../../../kube/object.ts';
import { isMapping, listAt, valueAt } from '../../../kube/mapping.ts';
import type { Path } from '../../../kube/problem.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { readPodDemand, type PodDemand } from './pod-resources.ts';

/** The pods that an object means. */
export interface WorkloadPods {
  readonly pod: PodDemand;
  /** Where the spec of the pod stands in the object. */
  readonly path: Path;
  /** How many there are at once, at the least; undefined where something else decides it. */
  readonly copies: number | undefined;
}

/** Where the spec of the pod stands, by `group/Kind`. */
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

/** The pods of one of Kubernetes' own workloads; undefined for every other object. */
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

/** A claim on storage, and how many of the kind there are. */
export interface StorageClaim {
  readonly storage: bigint;
  readonly storageClass: string | undefined;
  /** Where the request stands in the object. */
  readonly path: Path;
  readonly copies: number;
}

/** The claims of a PersistentVolumeClaim or a StatefulSet, and of the ephemeral volumes of pods. */
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
