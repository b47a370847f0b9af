import type { OwnMetrics } from '../../runtime/controller/own-metrics.ts';
import type { Instruments } from '../../runtime/metrics/instruments.ts';
import { Tenant, type namespaces, type quotas } from '../cluster/kinds.ts';
import { quotaLabels, quotaUse } from './quota-use.ts';
import { stateOf, type State } from './state.ts';

type Own = OwnMetrics<typeof Tenant | typeof namespaces | typeof quotas>;

/**
 * The most series of each metric that names tenants. Writing them blocks the event loop, so 10,000 tenants must not
 * become 160,000 series.
 */
export const MOST_SERIES = 10_000;

/** The states in which tenants are named, the worst first. */
const unwell: readonly State[] = ['degraded', 'drifted', 'undeclared', 'unknown', 'progressing'];

/**
 * Registers the metrics that name tenants; see docs/operator.md.
 * @param most the most series of each metric
 */
export function registerTenantSeries(
  instruments: Instruments,
  cache: Own['cache'],
  most = MOST_SERIES,
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
        .map((one) => ({ tenant: one.metadata.name, state: stateOf(one) }))
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
