import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { TenantStatus } from '../../../crds/tenant-status.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { Tenant } from '../../../operator/cluster/kinds.ts';
import { computeState, registerTenantSeries } from '../../../operator/metrics/tenant-series.ts';
import { promlint } from '../../go/promlint.ts';
import { Metrics } from '@tenantry/runtime/metrics/metrics';
import { Served, viewOf } from './served.ts';

const meta = (name: string) => ({
  name,
  uid: name,
  resourceVersion: '1',
  generation: 2,
  creationTimestamp: '2026-01-01T00:00:00Z',
});

type TenantOptions = TenantStatus & { readonly cordoned?: boolean };

/** Returns a tenant whose conditions of these types are true. */
function tenant(name: string, is: readonly string[], { cordoned, ...status }: TenantOptions = {}) {
  const conditions = is.map((type) => ({
    type,
    status: 'True' as const,
    reason: 'Given',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
  const live: Live<typeof Tenant> = {
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Tenant',
    metadata: meta(name),
    spec: cordoned ? { cordoned } : {},
    status: { observedGeneration: 2, conditions, ...status },
  };
  return live;
}

const drift = (kind: string, since: string) =>
  ({ type: 'Changed', kind, name: 'one', since }) as const;

test('a tenant is counted in one state, the first one that applies', () => {
  expect(computeState(tenant('a', ['Degraded', 'Drifted'], { cordoned: true }))).toBe('cordoned');
  expect(computeState(tenant('a', []))).toBe('unknown');
  expect(computeState(tenant('a', ['Progressing', 'Drifted', 'Degraded']))).toBe('degraded');
  expect(computeState(tenant('a', ['Progressing', 'Drifted']))).toBe('drifted');
  expect(computeState(tenant('a', ['Progressing', 'Ready']))).toBe('progressing');
  expect(computeState(tenant('a', ['Ready']))).toBe('ready');
  const notReady = (status: 'False' | 'Unknown', reason: string) => {
    const since = { lastTransitionTime: '2026-01-01T00:00:00Z', message: '' };
    return tenant('a', [], { conditions: [{ type: 'Ready', status, reason, ...since }] });
  };
  expect(computeState(notReady('Unknown', 'NotObserved'))).toBe('unknown');
  expect(computeState(notReady('False', 'UndeclaredAccess'))).toBe('undeclared');
});

test('unknown tenants and undeclared access are counted from statuses', async () => {
  const served = await Served.begin();
  const since = { lastTransitionTime: '2026-01-01T00:00:00Z', message: '' };
  const unknown = (reason: string) =>
    ({ type: 'Ready', status: 'Unknown', reason, ...since }) as const;
  const counts = { namespaces: 1, objects: 1, driftedObjects: 0, driftedFields: 0, undeclared: 3 };
  served.objects = [
    tenant('a', [], { conditions: [unknown('NotRead')] }),
    tenant('b', [], { conditions: [unknown('Cordoned')] }),
    tenant('c', ['Ready'], { counts: { ...counts, undeclaredAccess: 2 } }),
    tenant('d', ['Ready'], { counts }),
  ];
  expect(await served.samples('tenantry_tenants_unknown')).toEqual({ tenantry_tenants_unknown: 1 });
  expect(await served.samples('tenantry_undeclared_access')).toEqual({
    tenantry_undeclared_access: 2,
  });
  expect(await served.samples('tenantry_tenant_undeclared')).toEqual({
    'tenantry_tenant_undeclared_access{tenant="c"}': 2,
  });
  served.metrics.recordFailure('a');
  served.metrics.recordReport('a', { isReported: false });
  served.metrics.recordComparison('b', 4);
  const now = async (): Promise<unknown[]> =>
    Object.values({
      ...(await served.samples('tenantry_tenants_not_compared')),
      ...(await served.samples('tenantry_statuses_refused')),
      ...(await served.samples('tenantry_objects_not_read')),
    });
  expect(await now()).toEqual([1, 1, 4]);
  // Another replica counts them while this one is not the leader.
  served.isRunning = false;
  expect(await now()).toEqual([0, 0, 0]);
  served.isRunning = true;
  served.metrics.recordComparison('a', 0);
  served.metrics.recordReport('a', { isReported: true });
  await served.controller.onGone?.({ name: { name: 'b' } } as never);
  expect(await now()).toEqual([0, 0, 0]);
});

test('only the leader counts tenants by state, with all states at 0 from the start', async () => {
  const served = await Served.begin();
  served.objects = [tenant('a', ['Ready']), tenant('b', ['Ready']), tenant('c', ['Drifted'])];
  const others = { cordoned: 0, unknown: 0, degraded: 0, undeclared: 0, progressing: 0 };
  const states = { ...others, drifted: 1, ready: 2 };
  const named = Object.entries(states).map(([state, n]) => [
    `tenantry_tenants{state="${state}"}`,
    n,
  ]);
  expect(await served.samples('tenantry_tenants{')).toEqual(Object.fromEntries(named));
  expect(await served.samples('tenantry_tenant_unready')).toEqual({
    'tenantry_tenant_unready{state="drifted", tenant="c"}': 1,
  });
  served.isRunning = false;
  expect(await served.samples('tenantry_tenants{')).toEqual({});
  expect(await served.samples('tenantry_tenant_unready')).toEqual({});
});

test('a status of another generation is stale, and so is a missing one', async () => {
  const served = await Served.begin();
  const { status: _, ...without } = tenant('c', []);
  served.objects = [tenant('a', []), tenant('b', [], { observedGeneration: 1 }), without];
  expect(await served.samples('tenantry_stale')).toEqual({ tenantry_stale_statuses: 2 });
});

test('fields with drift are counted by kind, and before the first observation as the statuses list them', async () => {
  const served = await Served.begin();
  const since = '2026-01-01T00:00:00Z';
  served.objects = [
    tenant('a', [], { drift: [drift('Role', since)] }),
    tenant('b', [], { drift: [drift('Role', since)], moreDrift: 2 }),
  ];
  const fields = async (kind: string) =>
    (await served.samples('tenantry_drifted'))[`tenantry_drifted_fields{kind="${kind}"}`];
  expect(await fields('Role')).toBe(2);
  served.metrics.recordDrift('b', [
    drift('Role', since),
    drift('Role', since),
    drift('Role', since),
  ]);
  expect(await fields('Role')).toBe(4);
  expect(await fields('NetworkPolicy')).toBe(0);
  served.metrics.recordDrift('b', []);
  expect(await fields('Role')).toBe(1);
});

test('the age of the oldest drift is in seconds, and 0 without drift', async () => {
  const served = await Served.begin();
  const ago = (seconds: number) =>
    new Date(served.clock.date().getTime() - seconds * 1000).toISOString();
  const age = async () =>
    (await served.samples('tenantry_oldest'))['tenantry_oldest_drift_age_seconds'];
  expect(await age()).toBe(0);
  served.objects = [
    tenant('a', [], { drift: [drift('Role', ago(60)), drift('Role', ago(90))] }),
    tenant('b', [], { drift: [drift('Role', ago(30))] }),
  ];
  expect(await age()).toBe(90);
});

const quotaIn = (namespace: string): readonly Live[] => [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { ...meta(namespace), labels: { [TENANT_LABEL]: namespace } },
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { ...meta('quota'), namespace },
    hard: { pods: '10', 'requests.cpu': '2', 'requests.memory': '1Ki' },
    used: { pods: '4', 'requests.cpu': '500m', 'requests.memory': '512' },
  } as Live,
];

test('limits and usage of the quotas of declared tenants are reported in base units', async () => {
  const served = await Served.begin();
  served.objects = [tenant('acme', ['Ready']), ...quotaIn('acme'), ...quotaIn('nobody')];
  const of = (resource: string, type: string) =>
    `tenantry_resourcequota{resource="${resource}", resourcequota="quota", tenant="acme", tenant_namespace="acme", type="${type}"}`;
  expect(await served.samples('tenantry_resourcequota')).toEqual({
    [of('pods', 'hard')]: 10,
    [of('pods', 'used')]: 4,
    [of('requests.cpu', 'hard')]: 2,
    [of('requests.cpu', 'used')]: 0.5,
    [of('requests.memory', 'hard')]: 1024,
    [of('requests.memory', 'used')]: 512,
  });
});

test('of quotas that every namespace has, only nearly exhausted resources are reported', async () => {
  const served = await Served.begin();
  const [namespace, quota] = quotaIn('acme');
  const named = {
    ...quota!,
    metadata: { ...quota!.metadata, name: 'tenant-objects' },
    hard: { secrets: '200', services: '50', pods: '0' },
    used: { secrets: '160', services: '1', pods: '0' },
  } as Live;
  served.objects = [tenant('acme', ['Ready']), namespace!, named];
  const resources = Object.keys(await served.samples('tenantry_resourcequota')).map(
    (sample) => /resource="([^"]*)"/.exec(sample)![1],
  );
  expect(resources).toEqual(['secrets', 'secrets']);
});

test('a limit on series keeps the worst tenants and the fullest quotas, and counts the omitted ones', async () => {
  const registry = new Registry();
  const { instruments } = await Metrics.create({ registry, ofProcess: false });
  const used = (namespace: string, pods: string) =>
    quotaIn(namespace).map((one) =>
      one.kind === 'ResourceQuota' ? { ...one, hard: { pods: '10' }, used: { pods } } : one,
    );
  const names = ['a', 'b', 'c', 'd'];
  const objects = [
    ...names.map((name, i) => tenant(name, [i % 2 === 0 ? 'Progressing' : 'Drifted'])),
    ...names.flatMap((name, i) => used(name, String([1, 9, 2, 8][i]))),
  ];
  registerTenantSeries(instruments, () => viewOf(objects) as never, 4);
  const page = await registry.metrics();
  const listTenants = (metric: string) =>
    new Set(
      Array.from(
        page.matchAll(new RegExp(`^${metric}{.*tenant="(\\w)"`, 'gm')),
        ([, name]) => name,
      ),
    );
  expect(listTenants('tenantry_resourcequota')).toEqual(new Set(['b', 'd']));
  expect(page).toContain('tenantry_left_out{metric="tenantry_resourcequota"} 2');
  expect(listTenants('tenantry_tenant_unready')).toEqual(new Set(names));
  const fewer = new Registry();
  registerTenantSeries(
    (await Metrics.create({ registry: fewer, ofProcess: false })).instruments,
    () => viewOf(objects) as never,
    3,
  );
  const lines = (await fewer.metrics()).split('\n');
  expect(lines.filter((line) => line.startsWith('tenantry_tenant_unready{'))).toEqual([
    'tenantry_tenant_unready{tenant="b",state="drifted"} 1',
    'tenantry_tenant_unready{tenant="d",state="drifted"} 1',
    'tenantry_tenant_unready{tenant="a",state="progressing"} 1',
  ]);
  expect(lines).toContain('tenantry_left_out{metric="tenantry_tenant_unready"} 1');
});

test('without series per tenant no label has the name of a tenant', async () => {
  const served = await Served.begin(false);
  const pressure = { namespace: 'acme', quota: 'quota', resource: 'pods', hard: '10' };
  served.objects = [tenant('acme', ['Drifted'], { quotaPressure: [pressure] }), ...quotaIn('acme')];
  expect(await served.page()).not.toContain('acme');
  expect(await served.samples('tenantry_tenants_short')).toEqual({
    tenantry_tenants_short_of_quota: 1,
  });
});

test('the delay of a status counts from its first change, across failed observations', async () => {
  const served = await Served.begin();
  const one = tenant('acme', ['Ready']);
  const delay = () => served.samples('tenantry_status_delay_seconds');
  const { controller } = served;
  const look = () => controller.reconcile({ object: one } as never);
  controller.watches[0]!.map(one, {} as never);
  await served.clock.advance(2000);
  controller.predicate?.({ type: 'added', object: one });
  served.look = () => {
    throw new Error('the API server is away');
  };
  await expect(look()).rejects.toThrow('away');
  await served.clock.advance(3000);
  served.look = (name) => served.metrics.recordStatusDelay(name);
  await look();
  expect(await delay()).toEqual({
    tenantry_status_delay_seconds_sum: 5,
    tenantry_status_delay_seconds_count: 1,
  });
  // An observation writes a status without a change when a deadline has passed.
  await look();
  expect((await delay())['tenantry_status_delay_seconds_count']).toBe(1);
});

test('a change during an observation belongs to the next one', async () => {
  const served = await Served.begin();
  const one = tenant('acme', ['Ready']);
  const { controller } = served;
  const change = () => controller.watches[0]!.map(one, {} as never);
  change();
  served.look = () => change();
  await controller.reconcile({ object: one } as never);
  await served.clock.advance(4000);
  served.look = (name) => served.metrics.recordStatusDelay(name);
  await controller.reconcile({ object: one } as never);
  expect((await served.samples('tenantry_status_delay'))['tenantry_status_delay_seconds_sum']).toBe(
    4,
  );
});

test('Prometheus can read the page, and its linter reports nothing', async () => {
  const lint = await promlint();
  if (!lint) return;
  const served = await Served.begin();
  served.objects = [tenant('acme', ['Drifted']), ...quotaIn('acme')];
  const answer = lint(await served.page());
  expect(answer).toMatchObject({ problems: [] });
});
