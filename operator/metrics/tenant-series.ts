import type { OwnMetrics } from '../../runtime/controller/own-metrics.ts';
import type { Instruments } from '../../runtime/metrics/instruments.ts';
import { Tenant, type namespaces, type quotas } from '../cluster/kinds.ts';
import { quotaLabels, quotaUse } from './quota-use.ts';
import { stateOf, type State } from './state.ts';

type Own = OwnMetrics<typeof Tenant | typeof namespaces | typeof quotas>;

/**
 * Series of each metric that names tenants, at the most. Nothing else happens while they are written, so 10,000
 * tenants must not be 160,000 series.
 */
export const MOST_SERIES = 10_000;

/** The states of tenants that are named, the worst first. */
const unwell: readonly State[] = ['degraded', 'drifted', 'undeclared', 'unknown', 'progressing'];

/**
 * Metrics that name tenants; see docs/operator.md.
 * @param most series of each
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
      help: 'Is 1 for each tenant that is neither ready nor cordoned, with how it stands',
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
      help: 'What a quota of a tenant gives (hard), and how much of it is used, in cores, bytes or numbers',
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
  // After them, as metrics are asked in the order in which they were made.
  instruments.gauge(
    {
      name: 'tenantry_left_out',
      help: 'Tenants and quotas that a metric does not tell, since it would have too many series',
      labels: ['metric'],
    },
    (gauge) => {
      for (const [metric, count] of Object.entries(leftOut)) gauge.set({ metric }, count);
    },
  );
}

/** @param leaveOut is told how many tenants have no series */
function registerUndeclaredAccess(
  instruments: Instruments,
  cache: Own['cache'],
  most: number,
  leaveOut: (count: number) => void,
): void {
  instruments.gauge(
    {
      name: 'tenantry_tenant_undeclared_access',
      help: 'For each tenant that has some, undeclared objects and keys that give access which its users may not give',
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
