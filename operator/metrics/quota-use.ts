import { isNeighborQuotaName } from '../../constructs/tenant/objects/neighbor-quotas.ts';
import { TENANT_LABEL } from '../../kube/holder.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import type { CacheView } from '../../runtime/controller/caches.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { namespaces, quotas, Tenant } from '../cluster/kinds.ts';

/** One value, as kube-state-metrics tells it, with the tenant besides. */
export interface QuotaSample {
  readonly labels: Readonly<Record<QuotaLabel, string>>;
  /** Cores, bytes, or how many. */
  readonly value: number;
}

/**
 * Not `namespace`: that is the operator's own, which Prometheus adds, and what a target says under a label of that
 * name becomes `exported_namespace`, or takes its place, as the scrape is set up.
 */
export const quotaLabels = [
  'tenant',
  'tenant_namespace',
  'resourcequota',
  'resource',
  'type',
] as const;

/** What they are told apart by. */
export type QuotaLabel = (typeof quotaLabels)[number];

type LiveQuota = Live<typeof quotas>;
type Seen = CacheView<typeof Tenant | typeof namespaces | typeof quotas>;

/** A quota of a declared tenant. */
interface TenantQuota {
  readonly tenant: string;
  readonly quota: LiveQuota;
}

/** What is told of quotas. */
export interface QuotaUse {
  readonly samples: Iterable<QuotaSample>;
  /** Quotas of which nothing is told, since there would be too many series. */
  readonly leftOut: number;
}

/**
 * What there is of each resource, and what is used: of quotas in the namespaces of declared tenants alone. Where
 * there are too many, those are told of which the most is used.
 * @param most samples, at the most
 */
export function quotaUse(cache: Seen, most: number): QuotaUse {
  const all = cache.list(quotas).flatMap((quota): TenantQuota[] => {
    const { namespace: name = '' } = quota.metadata;
    const tenant = cache.get(namespaces, { name })?.metadata.labels?.[TENANT_LABEL];
    const isDeclared = tenant !== undefined && cache.get(Tenant, { name: tenant }) !== undefined;
    const reportedQuota = isNeighborQuotaName(quota.metadata.name) ? nearlyUsed(quota) : quota;
    return isDeclared && reportedQuota ? [{ tenant, quota: reportedQuota }] : [];
  });
  const reported = fitting(all, most);
  return { samples: samplesOf(reported), leftOut: all.length - reported.length };
}

/** The share of a resource from which the quotas that bound neighbors are told. */
const NEARLY = 0.8;

/**
 * Of the quotas that every namespace has, the resources of which little is left: dozens of kinds are
 * counted, most of which nobody ever makes. Undefined where enough is left of all.
 */
function nearlyUsed(quota: LiveQuota): LiveQuota | undefined {
  if (mostUsed(quota) < NEARLY) return undefined;
  const { hard = {}, used = {} } = quota;
  const isNear = (resource: string): boolean => shareOf(quota, resource) >= NEARLY;
  const only = (amounts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(amounts).filter(([resource]) => isNear(resource)));
  return { ...quota, hard: only(hard), used: only(used) };
}

function shareOf({ hard = {}, used = {} }: LiveQuota, resource: string): number {
  const most = valueOf(hard[resource] ?? '0') ?? 0;
  return most > 0 ? (valueOf(used[resource] ?? '0') ?? 0) / most : 0;
}

function fitting(all: readonly TenantQuota[], most: number): readonly TenantQuota[] {
  const seriesOf = ({ quota: { hard = {}, used = {} } }: TenantQuota): number =>
    Object.keys(hard).length + Object.keys(used).length;
  if (all.reduce((sum, one) => sum + seriesOf(one), 0) <= most) return all;
  let left = most;
  return all.toSorted(byUse).filter((one) => (left -= seriesOf(one)) >= 0);
}

function byUse({ quota: a }: TenantQuota, { quota: b }: TenantQuota): number {
  return mostUsed(b) - mostUsed(a) || (a.metadata.namespace! < b.metadata.namespace! ? -1 : 1);
}

/** Of a state of a quota once. */
const shares = new WeakMap<LiveQuota, number>();

/** The share that is used of the resource of which that is the most. */
function mostUsed(quota: LiveQuota): number {
  const known = shares.get(quota);
  if (known !== undefined) return known;
  const resources = Object.keys(quota.hard ?? {});
  const share = Math.max(0, ...resources.map((resource) => shareOf(quota, resource)));
  shares.set(quota, share);
  return share;
}

function* samplesOf(all: readonly TenantQuota[]): Generator<QuotaSample> {
  for (const { tenant, quota } of all) {
    const { name: resourcequota, namespace: tenant_namespace = '' } = quota.metadata;
    const labels = { tenant, tenant_namespace, resourcequota };
    for (const type of ['hard', 'used'] as const) {
      for (const [resource, amount] of Object.entries(quota[type] ?? {})) {
        const value = valueOf(amount);
        if (value !== undefined) yield { labels: { ...labels, resource, type }, value };
      }
    }
  }
}

function valueOf(amount: string): number | undefined {
  const billionths = parseQuantity(amount);
  return billionths === undefined ? undefined : Number(billionths) / 1e9;
}
