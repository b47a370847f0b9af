import { TENANT_LABEL } from '../../kube/holder.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import type { CacheView } from '../../runtime/controller/caches.ts';
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

type Seen = CacheView<typeof Tenant | typeof namespaces | typeof quotas>;

/** What there is of each resource, and what is used: of quotas in the namespaces of declared tenants alone. */
export function* quotaUse(cache: Seen): Generator<QuotaSample> {
  for (const { metadata, ...quota } of cache.list(quotas)) {
    const { name: resourcequota, namespace: tenant_namespace = '' } = metadata;
    const namespace = cache.get(namespaces, { name: tenant_namespace });
    const tenant = namespace?.metadata.labels?.[TENANT_LABEL];
    if (tenant === undefined || !cache.get(Tenant, { name: tenant })) continue;
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
