import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import { parseQuantity } from '@tenantry/kube/quantity';
import {
  type Amounts,
  readStorageClaims,
  readWorkloadPods,
  type StorageClaim,
} from './workload-demand.ts';

/** What an object uses of a quota, besides its pods. */
export interface ObjectUsage {
  /** The path in the object. */
  readonly path: Path;
  /** A text such as `a Service with`; empty for one claim. */
  readonly what: string;
  readonly usage: Amounts;
  /** Whether other rules compare it for a single object. */
  readonly isCounted?: boolean;
}

/**
 * Lists what an object uses of quotas: volume claims, load balancers, node ports, and objects that are created for it.
 */
export function usagesOf(manifest: KubeObject): ObjectUsage[] {
  const claims = readStorageClaims(manifest).map((claim) => ({
    path: claim.path,
    what: claim.copies > 1 ? `${claim.copies} claims with` : '',
    usage: claimUsage(claim),
    isCounted: manifest.kind === 'PersistentVolumeClaim',
  }));
  return [...claims, ...usageOfService(manifest), ...usageOfMade(manifest)];
}

/**
 * Computes what a volume claim, with all its copies, uses of a quota.
 * Source: pkg/quota/v1/evaluator/core persistent_volume_claims.go
 */
function claimUsage({ storage, storageClass, copies }: StorageClaim): Amounts {
  const count = parseQuantity(copies)!;
  const usage = new Map([['count/persistentvolumeclaims', count]]);
  const prefix = `${storageClass}.storageclass.storage.k8s.io/`;
  for (const start of storageClass === undefined ? [''] : ['', prefix]) {
    usage.set(`${start}requests.storage`, storage * BigInt(copies));
    usage.set(`${start}persistentvolumeclaims`, count);
  }
  return usage;
}

/** Lists what a Service uses. Source: pkg/quota/v1/evaluator/core services.go */
function usageOfService(manifest: KubeObject): ObjectUsage[] {
  if (manifest.apiVersion !== 'v1' || manifest.kind !== 'Service') return [];
  const spec = valueAt(manifest, ['spec']);
  const [type, allocates] = [['type'], ['allocateLoadBalancerNodePorts']].map((path) =>
    valueAt(spec, path),
  );
  const isBalanced = type === 'LoadBalancer';
  if (!isBalanced && type !== 'NodePort') return [];
  const ports = listAt(spec, ['ports']);
  const stated = ports.filter((port) => valueAt(port, ['nodePort']) !== undefined);
  const opened = isBalanced && allocates === false ? stated : ports;
  const usage = new Map([['services.nodeports', parseQuantity(opened.length)!]]);
  if (isBalanced) usage.set('services.loadbalancers', parseQuantity(1)!);
  return [{ path: ['spec', 'type'], what: 'a Service with', usage }];
}

/** The objects that a controller creates before the first pod of a workload. */
const made: Readonly<Record<string, string>> = {
  'apps/DaemonSet': 'count/controllerrevisions.apps',
  'apps/Deployment': 'count/replicasets.apps',
  'apps/StatefulSet': 'count/controllerrevisions.apps',
  'batch/CronJob': 'count/jobs.batch',
};

function usageOfMade(manifest: KubeObject): ObjectUsage[] {
  const id = `${groupOf(manifest.apiVersion)}/${manifest.kind}`;
  const key = Object.hasOwn(made, id) ? made[id] : undefined;
  const isSuspended = valueAt(manifest, ['spec', 'suspend']) === true;
  const isEmpty = readWorkloadPods(manifest)?.copies === 0;
  if (key === undefined || isSuspended || isEmpty || !isMapping(manifest['spec'])) return [];
  const usage = new Map([[key, parseQuantity(1)!]]);
  return [{ path: ['spec'], what: `a ${manifest.kind} with`, usage }];
}
