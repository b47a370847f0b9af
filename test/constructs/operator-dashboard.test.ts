import { expect, test } from '@jest/globals';
import { buildAlertRules } from '../../model/operator/monitoring/alerts.ts';
import { buildDashboard } from '../../model/operator/monitoring/dashboard.ts';
import { buildMonitoringObjects } from '../../model/operator/monitoring/objects.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import { HookMetrics } from '../../operator/hooks/hook-metrics.ts';
import { Metrics } from '@tenantry/runtime/metrics/metrics';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { Served } from '../operator/metrics/served.ts';

const monitoring = {
  kinds: [{ group: 'monitoring.coreos.com', kind: 'PrometheusRule', scope: 'Namespaced' }],
} as const;
const image = 'registry.example.com/tenantry:0.1.0';
/** Returns the monitoring objects of a platform that runs the operator. */
const objectsOf = ({ operator, ...spec }: PlatformSpec) =>
  Object.values(
    buildMonitoringObjects(resolvePlatform({ ...spec, operator: { image, ...operator } })),
  );

test('rules are rendered where the platform has their kind, with the labels that it sets', () => {
  expect(objectsOf({})).toEqual([]);
  const labels = { release: 'prometheus' };
  const [rule, ...rest] = objectsOf({
    ...monitoring,
    operator: { namespace: 'ops', monitoring: { labels } },
  });
  expect(rest).toEqual([]);
  expect(rule).toMatchObject({
    kind: 'PrometheusRule',
    metadata: { name: 'tenantry-operator', namespace: 'ops', labels },
    spec: { groups: [{ name: 'tenantry-tenants' }, { name: 'tenantry-operator' }] },
  });
});

test('a dashboard is rendered where the platform enables it, with the label for the Grafana sidecar', () => {
  const [map, ...rest] = objectsOf({ operator: { monitoring: { dashboard: true } } });
  expect(rest).toEqual([]);
  expect(map).toMatchObject({
    kind: 'ConfigMap',
    metadata: { labels: { grafana_dashboard: '1' } },
  });
  const { data } = map as unknown as { data: Record<string, string> };
  expect(JSON.parse(data['tenantry.json']!)).toMatchObject({ title: 'Tenantry' });
});

test.each([true, false])(
  'queries use metrics that are served, where series of tenants are %s',
  async (tenantSeries) => {
    const { registry } = await Served.begin(tenantSeries);
    // Including metrics of queues and of the process.
    const runtime = await Metrics.create();
    runtime.controllers.queue('tenant');
    const { instruments } = runtime;
    const clock = new VirtualClock();
    new HookMetrics(resolvePlatform(), []).make({ instruments, cache: () => undefined, clock });
    const page = (await registry.metrics()) + (await runtime.page()).text;
    const served = new Set([...page.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!));
    const settings = { ...resolvePlatform().operatorMonitoring, tenantSeries };
    const queries = [
      ...buildDashboard(settings).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...buildAlertRules(settings).flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ];
    const named = queries.flatMap((expr) =>
      [...expr.matchAll(/(\w+)\{/g)].map(([, name]) => name!),
    );
    const unknown = named.filter(
      (name) => name !== 'up' && !served.has(name.replace(/_bucket$/, '')),
    );
    expect(unknown).toEqual([]);
    expect(new Set(named).size).toBeGreaterThan(12);
  },
);

test('hooks have alerts and panels where the platform has hooks', () => {
  const secret = 'cmdb';
  const webhook = { url: 'https://cmdb.example.com' };
  const hooks = [{ name: 'cmdb', events: ['Onboarded' as const], secret, webhook }];
  const textOf = (more: object): string =>
    JSON.stringify(
      objectsOf({ ...monitoring, operator: { monitoring: { dashboard: true }, ...more } }),
    );
  for (const name of ['TenantHookFailing', 'tenantry_hook_undelivered']) {
    expect([name, textOf({}).includes(name)]).toEqual([name, false]);
    expect([name, textOf({ hooks }).includes(name)]).toEqual([name, true]);
  }
});

test('panels do not overlap, and fit into the width of Grafana', () => {
  const { panels } = buildDashboard(resolvePlatform().operatorMonitoring);
  const cells = panels.flatMap(({ gridPos: { x, y, w } }) =>
    Array.from({ length: w }, (_, i) => `${x + i} ${y}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
