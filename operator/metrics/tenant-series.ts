import type { OwnMetrics } from '@tenantry/runtime/controller/declaration';
import type { Instruments } from '@tenantry/runtime/metrics/instruments';
import { Tenant, namespaces, quotas } from '../cluster/kinds.ts';
import { isNeighborQuotaName } from '../../model/objects/neighbor-quotas.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { parseQuantity } from '@tenantry/kube/quantity';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { findCondition } from '@tenantry/runtime/conditions/conditions';

type Own = OwnMetrics<typeof Tenant | typeof namespaces | typeof quotas>;

/**
 * The most series of each metric that names tenants. Writing them blocks the event loop, so 10,000 tenants must not
 * become 160,000 series.
 */
const MAX_SERIES = 10_000;

/** The states in which tenants are named, the worst first. */
const unwell: readonly State[] = ['degraded', 'drifted', 'undeclared', 'unknown', 'progressing'];

/**
 * Registers the metrics that name tenants; see docs/operator.md.
 * @param most the most series of each metric
 */
export function registerTenantSeries(
  instruments: Instruments,
  cache: Own['cache'],
  most = MAX_SERIES,
): void {
  const leftOut = {
    tenantry_tenant_unready: 0,
    tenantry_tenant_undeclared_access: 0,
    tenantry_resourcequota: 0,
  };
  instruments.gauge(
    {
      name: 'tenantry_tenant_unready',
      help: '1 for each tenant that is neither ready nor cordoned, with its state',
      labels: ['tenant', 'state'],
    },
    (gauge) => {
      gauge.reset();
      const found = (cache()?.list(Tenant) ?? [])
        .map((one) => ({ tenant: one.metadata.name, state: computeState(one) }))
        .filter(({ state }) => unwell.includes(state));
      leftOut.tenantry_tenant_unready = Math.max(0, found.length - most);
      const reported = found.length > most ? found.toSorted(byState).slice(0, most) : found;
      for (const labels of reported) gauge.set(labels, 1);
    },
  );
  registerUndeclaredAccess(instruments, cache, most, (count) => {
    leftOut.tenantry_tenant_undeclared_access = count;
  });
  instruments.gauge(
    {
      name: 'tenantry_resourcequota',
      help: 'The limit (hard) and the usage (used) of a quota of a tenant, in cores, bytes or counts',
      labels: quotaLabels,
    },
    (gauge) => {
      gauge.reset();
      const there = cache();
      const use = there && quotaUse(there, most);
      leftOut.tenantry_resourcequota = use?.leftOut ?? 0;
      for (const { labels, value } of use?.samples ?? []) gauge.set(labels, value);
    },
  );
  // Registered last: gauges are collected in the order in which they were registered.
  instruments.gauge(
    {
      name: 'tenantry_left_out',
      help: 'Tenants and quotas that a metric omits because it would have too many series',
      labels: ['metric'],
    },
    (gauge) => {
      for (const [metric, count] of Object.entries(leftOut)) gauge.set({ metric }, count);
    },
  );
}

/** @param leaveOut called with the number of tenants without a series */
function registerUndeclaredAccess(
  instruments: Instruments,
  cache: Own['cache'],
  most: number,
  leaveOut: (count: number) => void,
): void {
  instruments.gauge(
    {
      name: 'tenantry_tenant_undeclared_access',
      help: 'Per tenant: undeclared objects and keys that grant access which its users may not grant',
      labels: ['tenant'],
    },
    (gauge) => {
      gauge.reset();
      const found = (cache()?.list(Tenant) ?? [])
        .map(({ metadata: { name }, status }) => ({
          tenant: name,
          count: status?.counts?.undeclaredAccess ?? 0,
        }))
        .filter(({ count }) => count > 0)
        .toSorted((a, b) => b.count - a.count);
      leaveOut(Math.max(0, found.length - most));
      for (const { tenant, count } of found.slice(0, most)) gauge.set({ tenant }, count);
    },
  );
}

function byState(a: { tenant: string; state: State }, b: { tenant: string; state: State }): number {
  return unwell.indexOf(a.state) - unwell.indexOf(b.state) || (a.tenant < b.tenant ? -1 : 1);
}

/** One value, as in kube-state-metrics, with the tenant in addition. */
interface QuotaSample {
  readonly labels: Readonly<Record<QuotaLabel, string>>;
  /** In cores, bytes or a number of objects. */
  readonly value: number;
}

/**
 * The label is not called `namespace`, because Prometheus adds that label for the operator's own namespace. Depending
 * on the scrape configuration, a target's label of that name would become `exported_namespace` or replace it.
 */
const quotaLabels = ['tenant', 'tenant_namespace', 'resourcequota', 'resource', 'type'] as const;

/** The labels that identify a value. */
type QuotaLabel = (typeof quotaLabels)[number];

type LiveQuota = Live<typeof quotas>;
type Seen = CacheView<typeof Tenant | typeof namespaces | typeof quotas>;

/** A quota of a declared tenant. */
interface TenantQuota {
  readonly tenant: string;
  readonly quota: LiveQuota;
}

/** The usage of quotas. */
interface QuotaUse {
  readonly samples: Iterable<QuotaSample>;
  /** The number of quotas that are omitted because there would be too many series. */
  readonly leftOut: number;
}

/**
 * Returns the amount and the usage of each resource, for quotas in namespaces of declared tenants only. If there are
 * too many samples, the quotas with the highest usage are returned.
 * @param most the most samples to return
 */
function quotaUse(cache: Seen, most: number): QuotaUse {
  const all = cache.list(quotas).flatMap((quota): TenantQuota[] => {
    const { namespace: name = '' } = quota.metadata;
    const tenant = cache.get(namespaces, { name })?.metadata.labels?.[TENANT_LABEL];
    const isDeclared = tenant !== undefined && cache.get(Tenant, { name: tenant }) !== undefined;
    const reportedQuota = isNeighborQuotaName(quota.metadata.name) ? nearlyUsed(quota) : quota;
    return isDeclared && reportedQuota ? [{ tenant, quota: reportedQuota }] : [];
  });
  const reported = fitting(all, most);
  return { samples: listSamples(reported), leftOut: all.length - reported.length };
}

/** The used share of a resource above which quotas are included that all namespaces have. */
const NEARLY = 0.8;

/**
 * Returns the nearly used resources of a quota that every namespace has; undefined if there are none. Such quotas count
 * dozens of kinds, most of which nobody ever creates.
 */
function nearlyUsed(quota: LiveQuota): LiveQuota | undefined {
  if (mostUsed(quota) < NEARLY) return undefined;
  const { hard = {}, used = {} } = quota;
  const isNear = (resource: string): boolean => computeShare(quota, resource) >= NEARLY;
  const only = (amounts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(amounts).filter(([resource]) => isNear(resource)));
  return { ...quota, hard: only(hard), used: only(used) };
}

function computeShare({ hard = {}, used = {} }: LiveQuota, resource: string): number {
  const most = parseAmount(hard[resource] ?? '0') ?? 0;
  return most > 0 ? (parseAmount(used[resource] ?? '0') ?? 0) / most : 0;
}

function fitting(all: readonly TenantQuota[], most: number): readonly TenantQuota[] {
  const countSeries = ({ quota: { hard = {}, used = {} } }: TenantQuota): number =>
    Object.keys(hard).length + Object.keys(used).length;
  if (all.reduce((sum, one) => sum + countSeries(one), 0) <= most) return all;
  let left = most;
  return all.toSorted(byUse).filter((one) => (left -= countSeries(one)) >= 0);
}

function byUse({ quota: a }: TenantQuota, { quota: b }: TenantQuota): number {
  return mostUsed(b) - mostUsed(a) || (a.metadata.namespace! < b.metadata.namespace! ? -1 : 1);
}

/** Each state of a quota is computed once. */
const shares = new WeakMap<LiveQuota, number>();

/** Returns the used share of the most used resource. */
function mostUsed(quota: LiveQuota): number {
  const known = shares.get(quota);
  if (known !== undefined) return known;
  const resources = Object.keys(quota.hard ?? {});
  const share = Math.max(0, ...resources.map((resource) => computeShare(quota, resource)));
  shares.set(quota, share);
  return share;
}

function* listSamples(all: readonly TenantQuota[]): Generator<QuotaSample> {
  for (const { tenant, quota } of all) {
    const { name: resourcequota, namespace: tenant_namespace = '' } = quota.metadata;
    const labels = { tenant, tenant_namespace, resourcequota };
    for (const type of ['hard', 'used'] as const) {
      for (const [resource, amount] of Object.entries(quota[type] ?? {})) {
        const value = parseAmount(amount);
        if (value !== undefined) yield { labels: { ...labels, resource, type }, value };
      }
    }
  }
}

function parseAmount(amount: string): number | undefined {
  const billionths = parseQuantity(amount);
  return billionths === undefined ? undefined : Number(billionths) / 1e9;
}

/**
 * The states in which tenants are counted, with their meaning. A tenant is in the first state that applies.
 * docs/operator.md contains the same table.
 */
export const states = {
  cordoned: 'It is cordoned, so the operator leaves it alone.',
  unknown: 'The operator has not compared it yet, or cannot determine its state.',
  degraded:
    'A person has to act: the Tenant is refused, its namespace is taken, or a namespace is stuck.',
  drifted: 'Something differs from the declaration.',
  undeclared: 'Somebody granted access by hand that the tenant’s users may not grant.',
  progressing: 'The cluster has not yet followed a change of the declaration.',
  ready: 'Everything is as declared.',
} as const;

/** One of the `states`. */
export type State = keyof typeof states;

/** Returns the state of a tenant, according to its status. */
export function computeState({ spec, status }: Live<typeof Tenant>): State {
  if (spec?.cordoned) return 'cordoned';
  const is = (type: string): boolean => findCondition(status?.conditions, type)?.status === 'True';
  if (is('Degraded')) return 'degraded';
  if (is('Drifted')) return 'drifted';
  const ready = findCondition(status?.conditions, 'Ready');
  if (ready?.status === 'Unknown') return 'unknown';
  if (ready?.reason === 'UndeclaredAccess') return 'undeclared';
  if (is('Progressing')) return 'progressing';
  return is('Ready') ? 'ready' : 'unknown';
}

/** Whether a Tenant's status is about its current generation. */
export function isStatusCurrent({ metadata, status }: Live<typeof Tenant>): boolean {
  return status?.observedGeneration === metadata.generation;
}
