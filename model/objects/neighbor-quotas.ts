import type { ScopedQuota } from '../../crds/quota.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { parseQuantity } from '@tenantry/kube/quantity';
import { countedKinds, listCountKeyAliases } from '@tenantry/kube/quota-keys';
import {
  allowsCrossNamespaceAffinity,
  allowsUncountedObjects,
  selectRefusedPriorities,
} from '../classes/allowances.ts';
import { isRequestRole } from './break-glass.ts';
import { type Quota, computeMaxPods } from '../layers/resolved.ts';

/** The name of the quota that counts what no other one names. */
export const OBJECTS_QUOTA = 'tenant-objects';
const AFFINITY_QUOTA = 'tenant-affinity';
const PRIORITY_QUOTA = 'tenant-priority';

const names: ReadonlySet<string> = new Set([OBJECTS_QUOTA, AFFINITY_QUOTA, PRIORITY_QUOTA]);

/** Lists the quotas that admit no pods of a scope, so that no tenant keeps the pods of others off nodes. */
export function listPodQuotas(spec: TenantClassSpec): readonly ScopedQuota[] {
  const hard = { pods: 0 };
  const priorities = selectRefusedPriorities(spec);
  return [
    ...(allowsCrossNamespaceAffinity(spec)
      ? []
      : [{ name: AFFINITY_QUOTA, hard, scopes: ['CrossNamespacePodAffinity'] as const }]),
    ...(priorities ? [{ name: PRIORITY_QUOTA, hard, scopeSelector: priorities }] : []),
  ];
}

/** Lists the names of the quotas that bound the effect of a tenant of the class on others. */
export function listNeighborQuotaNames(spec: TenantClassSpec): readonly string[] {
  const counting = allowsUncountedObjects(spec) ? [] : [OBJECTS_QUOTA];
  return [...counting, ...listPodQuotas(spec).map(({ name }) => name)];
}

/** Whether a quota in a tenant's namespace has the name of one that bounds the tenant's effect on others. */
export function isNeighborQuotaName(name: string): boolean {
  return names.has(name);
}

/** Whether an object is one of the quotas that bound a tenant's effect on others. */
export function isNeighborQuota({ apiVersion, kind, metadata }: KubeObject): boolean {
  return (
    kind === 'ResourceQuota' && groupOf(apiVersion) === '' && isNeighborQuotaName(metadata.name)
  );
}

/** The number of pods for which the counts below are made; a namespace with more pods gets more of everything. */
const PODS = 200;
/** Revisions that a workload keeps, and one in progress: the default of `revisionHistoryLimit` is 10. */
const REVISIONS = 12;

/**
 * The maximum number of objects of a kind in a namespace with up to 200 pods. Kinds whose objects controllers create
 * follow below.
 */
const baseCounts: Readonly<Record<string, number>> = {
  'count/deployments.apps': 50,
  'count/statefulsets.apps': 50,
  'count/daemonsets.apps': 10,
  'count/jobs.batch': 100,
  'count/cronjobs.batch': 20,
  'count/podtemplates': 10,
  replicationcontrollers: 50,
  services: 50,
  'count/serviceaccounts': 50,
  secrets: 200,
  configmaps: 200,
  persistentvolumeclaims: 50,
  'count/ingresses.networking.k8s.io': 50,
  'count/networkpolicies.networking.k8s.io': 50,
  'count/roles.rbac.authorization.k8s.io': 50,
  'count/rolebindings.rbac.authorization.k8s.io': 50,
  'count/horizontalpodautoscalers.autoscaling': 50,
  'count/poddisruptionbudgets.policy': 50,
  'count/leases.coordination.k8s.io': 50,
  'count/leasecandidates.coordination.k8s.io': 50,
  'count/csistoragecapacities.storage.k8s.io': 50,
  'count/podcertificaterequests.certificates.k8s.io': 200,
  'count/podgroups.scheduling.k8s.io': 20,
  'count/workloads.scheduling.k8s.io': 20,
  'count/resourceclaims.resource.k8s.io': 50,
  'count/resourceclaimtemplates.resource.k8s.io': 50,
};

/** Kinds whose objects are created from others, so that their counts depend on those of their sources. */
const derivedCounts: readonly {
  readonly key: string;
  readonly makers: readonly string[];
  readonly each: number;
}[] = [
  { key: 'count/replicasets.apps', makers: ['count/deployments.apps'], each: REVISIONS },
  {
    key: 'count/controllerrevisions.apps',
    makers: ['count/statefulsets.apps', 'count/daemonsets.apps'],
    each: REVISIONS,
  },
  // Two address families, with 1,000 endpoints in each slice.
  { key: 'count/endpointslices.discovery.k8s.io', makers: ['services'], each: 4 },
  { key: 'count/endpoints', makers: ['services'], each: 2 },
];

/**
 * Computes counts for kinds that the declared quota leaves out, so that no tenant fills the shared store. It leaves out
 * Events, request leases and other kinds that no quota can count. It also leaves out custom resources, which a class
 * counts by `count/<plural>.<group>`. A kind of which the platform renders many objects gets twice as many.
 * @param rendered the platform's objects in the namespace
 * @returns amounts by quota key; none for a key that a layer names, with an amount or as unlimited
 */
export function computeObjectCounts(
  { hard, unlimited }: Quota,
  rendered: readonly KubeObject[],
): Readonly<Record<string, number>> {
  const ofKind = Map.groupBy(rendered, ({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}`);
  const least = (key: string): number => 2 * (ofKind.get(countedKinds.get(key) ?? '')?.length ?? 0);
  const pods = computeMaxPods(hard);
  const factor = pods === undefined ? 1 : Math.max(1, Math.ceil(pods / PODS));
  const isNamed = (key: string): boolean =>
    listCountKeyAliases(key).some((one) => Object.hasOwn(hard, one) || unlimited.includes(one));
  const isUnlimited = (key: string): boolean =>
    listCountKeyAliases(key).some((one) => unlimited.includes(one)) &&
    findAmount(hard, listCountKeyAliases(key)) === undefined;
  const computeBound = (key: string): number =>
    findAmount(hard, listCountKeyAliases(key)) ??
    Math.max(least(key), (baseCounts[key] ?? 0) * factor);
  const own = Object.keys(baseCounts).map((key): [string, number] => [key, computeBound(key)]);
  const made = derivedCounts
    .filter(({ makers }) => !makers.some(isUnlimited))
    .map(({ key, makers, each }): [string, number] => [
      key,
      Math.max(least(key), each * makers.reduce((sum, maker) => sum + computeBound(maker), 0)),
    ]);
  // Finished pods count too; the bound on `pods` does not include them.
  const finished: [string, number][] =
    pods === undefined ? [] : [['count/pods', computeFinishedPods(pods)]];
  const requests: [string, number][] = rendered.some(isRequestRole)
    ? [[REQUESTS, MAX_REQUESTS]]
    : [];
  const all = [...own, ...made, ...finished, ...requests];
  return Object.fromEntries(all.filter(([key]) => !isNamed(key)));
}

/** The records of requested access, which are kept for 90 days. */
const REQUESTS = 'count/accessrequests.tenantry.dev';
const MAX_REQUESTS = 500;

/** Computes the number of pods including finished ones: room for as many runs of each, and a few more. */
function computeFinishedPods(pods: number): number {
  return Math.max(PODS, pods * 4);
}

function findAmount(hard: Quota['hard'], keys: readonly string[]): number | undefined {
  const amounts = keys.flatMap((key) => {
    const amount = Object.hasOwn(hard, key) ? hard[key] : undefined;
    return amount === undefined ? [] : [Number(parseQuantity(amount)! / parseQuantity(1)!)];
  });
  return amounts.length === 0 ? undefined : Math.min(...amounts);
}
