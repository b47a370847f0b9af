import { entryOf, isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { type KubeObject, groupOf } from '@tenantry/kube/object';
import { show, type Path } from '@tenantry/kube/problem';
import { parseQuantity } from '@tenantry/kube/quantity';
import { formatAmount } from '../pod-admission/amounts.ts';
import {
  completePod,
  listLimitRefusals,
  listStorageClaimRefusals,
} from '../pod-admission/limit-range.ts';
import { computePodUsage, listQuotaRefusals, type PodQuota } from '../pod-admission/pod-quota.ts';
import {
  readStorageClaims,
  readWorkloadPods,
  type WorkloadPods,
  type Amounts,
  type StorageClaim,
} from '../pod-admission/workload-demand.ts';
import type { ExtraResource } from '../layers/resolved.ts';
import type { RuleContext, TenantReporter } from './context.ts';
import { defineNamespaceCheck } from './check.ts';
import { listNamespaceResources, locateResource } from './declared-resources.ts';
import { isValidLimitRange, listNamespaceQuotas } from './pod-bounds.ts';

/**
 * Validates that the LimitRange and the quotas admit the pods and volume claims of the tenant's workloads. The API
 * server accepts a Deployment whatever its pods request, and refuses the pods later.
 */
export const workloadBounds = defineNamespaceCheck(
  ['workload-refused', 'quota-workloads'],
  checkWorkloadBounds,
);

function checkWorkloadBounds(
  context: RuleContext,
  report: TenantReporter<'workload-refused' | 'quota-workloads'>,
): void {
  const { namespace } = context;
  if (namespace.lifecycle !== 'Active' || !isValidLimitRange(namespace.settings.limits.items))
    return;
  const quotas = listNamespaceQuotas(namespace);
  const workloads = listNamespaceResources(namespace).map((resource) => ({
    resource,
    pods: completeWorkloadPods(context, resource),
  }));
  for (const { resource, pods } of workloads) {
    const refused = [
      ...(pods ? listPodRefusals(context, pods, quotas) : []),
      ...readStorageClaims(resource.manifest).flatMap((claim) =>
        listStorageClaimRefusals(claim, namespace.settings.limits.items).map((words) => ({
          path: claim.path,
          words,
        })),
      ),
      ...listUsages(resource.manifest).flatMap((one) => usageRefusals(one, quotas[0]!)),
    ];
    for (const { path, words } of refused) warn(context, resource, { path, words }, report);
  }
  const pods = workloads.flatMap((one) => one.pods ?? []);
  for (const quota of quotas) warnAboutSum(context, quota, pods, report);
  warnOfUsages(
    context,
    quotas[0]!,
    workloads.flatMap(({ resource }) => listUsages(resource.manifest)),
    report,
  );
}

function completeWorkloadPods(
  { namespace }: RuleContext,
  { manifest }: ExtraResource,
): WorkloadPods | undefined {
  const pods = readWorkloadPods(manifest);
  return pods && { ...pods, pod: completePod(pods.pod, namespace.settings.limits.items) };
}

interface WorkloadRefusal {
  readonly path: Path;
  readonly words: string;
}

function listPodRefusals(
  { namespace }: RuleContext,
  { pod, path, copies = 1 }: WorkloadPods,
  quotas: readonly PodQuota[],
): WorkloadRefusal[] {
  if (copies === 0) return [];
  return [
    ...listLimitRefusals(pod, namespace.settings.limits.items),
    ...quotas.flatMap((quota) => listQuotaRefusals(quota, pod, copies)),
  ].map((refused) => ({ path: [...path, ...refused.path], words: refused.words }));
}

/** Warns about workloads that fit singly but not together. */
function warnAboutSum(
  context: RuleContext,
  quota: PodQuota,
  workloads: readonly WorkloadPods[],
  report: TenantReporter<'quota-workloads'>,
): void {
  const counted = workloads.filter(({ copies }) => copies !== undefined && copies > 0);
  for (const [key, bound] of Object.entries(quota.hard)) {
    const hard = bound === 'unlimited' ? undefined : parseQuantity(bound);
    if (hard === undefined) continue;
    const used = counted.map(
      ({ pod, copies = 1 }) => (computePodUsage(quota, pod).get(key) ?? 0n) * BigInt(copies),
    );
    const sum = used.reduce((total, one) => total + one, 0n);
    if (sum <= hard || used.some((one) => one > hard)) continue;
    const at = context.where('quota', quota.scopes || quota.scopeSelector ? 'scoped' : 'hard', key);
    const message = `must have room for all pods in resources, got ${formatAmount(key, sum)} of ${key}, above ${show(bound)} of quota ${quota.name}`;
    report(at, message, 'quota-workloads');
  }
}

/** Lists what a single object uses above a quota; the number of objects has a rule of its own. */
function usageRefusals(
  { path, what, usage, isCounted }: ObjectUsage,
  quota: PodQuota,
): WorkloadRefusal[] {
  const amounts = [...usage].flatMap(([key, used]): string[] => {
    const hard = findBound(quota, key);
    if (hard === undefined || used <= hard.amount || (isCounted && isCountKey(key))) return [];
    return [`${formatAmount(key, used)} of ${key}, above ${hard.bound} of quota ${quota.name}`];
  });
  if (amounts.length === 0) return [];
  const words = amounts.join(', and ');
  return [{ path, words: what === '' ? words : `${what} ${words}` }];
}

const isCountKey = (key: string): boolean => key.endsWith('persistentvolumeclaims');

function findBound(
  { hard }: PodQuota,
  key: string,
): { readonly bound: string | number; readonly amount: bigint } | undefined {
  const bound = entryOf<string | number>(hard, key);
  const amount = bound === undefined || bound === 'unlimited' ? undefined : parseQuantity(bound);
  return amount === undefined ? undefined : { bound: bound!, amount };
}

/** Warns about objects that fit singly but not together. */
function warnOfUsages(
  context: RuleContext,
  quota: PodQuota,
  usages: readonly ObjectUsage[],
  report: TenantReporter<'quota-workloads'>,
): void {
  for (const key of new Set(usages.flatMap(({ usage }) => [...usage.keys()]))) {
    const hard = findBound(quota, key);
    if (hard === undefined) continue;
    const total = (of: readonly ObjectUsage[]): bigint =>
      of.reduce((sum, { usage }) => sum + (usage.get(key) ?? 0n), 0n);
    const alone = usages.filter(({ isCounted }) => isCounted && isCountKey(key));
    const isReported =
      total(alone) > hard.amount || usages.some((one) => total([one]) > hard.amount);
    if (total(usages) <= hard.amount || isReported) continue;
    const what = /storage$|claims$/.test(key) ? 'volume claims' : 'objects';
    const message = `must have room for all ${what} in resources, got ${formatAmount(key, total(usages))} of ${key}, above ${show(hard.bound)} of quota ${quota.name}`;
    report(context.where('quota', 'hard', key), message, 'quota-workloads');
  }
}

function warn(
  context: RuleContext,
  resource: ExtraResource,
  { path: at, words }: WorkloadRefusal,
  report: TenantReporter<'workload-refused'>,
): void {
  const { place, of } = locateResource(context, resource, at);
  const message = `must be admitted by the limits and quotas of namespace ${context.namespace.name}, got ${words}${of}`;
  report(place, message, 'workload-refused');
}

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
export function listUsages(manifest: KubeObject): ObjectUsage[] {
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
