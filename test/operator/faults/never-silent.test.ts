import { expect, test } from '@jest/globals';
import { resolvePlatform } from '../../../model/platform.ts';
import { Tenant } from '../../../operator/cluster/kinds.ts';
import { Unreachable } from '@tenantry/runtime/errors/client-errors';
import { ResourceQuota } from '@tenantry/runtime/kinds/core';
import { NetworkPolicy } from '@tenantry/runtime/kinds/networking';
import { refused } from '@tenantry/runtime/test/observed-cluster';
import { FaultyTenants } from './faulty-tenants.ts';

const policies = 'networkpolicies.networking.k8s.io';
const isolation = { namespace: 'acme', name: 'tenant-isolation' };
const quota = { namespace: 'acme', name: 'tenant-quota' };

/** Opens the network policy that isolates the tenant. */
const open = ({ api }: FaultyTenants): unknown =>
  api.patch(NetworkPolicy, isolation, { spec: { ingress: [{}] } } as never);

test('a healthy tenant is ready, and no metric contradicts that', async () => {
  await using given = await FaultyTenants.begin();
  await given.pass(5);
  expect(given.ready).toBe('True AsDeclared');
  for (const name of [
    'tenantry_statuses_refused',
    'tenantry_tenants_not_compared',
    'tenantry_objects_not_read',
    'tenantry_tenants_unknown',
    'tenantry_undeclared_access',
  ]) {
    expect([name, given.value(name)]).toEqual([name, 0]);
  }
});

test('drift of an unreadable object is reported without its author, and with it once the object is readable', async () => {
  await using given = await FaultyTenants.begin();
  const giveBack = given.deny(`get ${policies}`);
  open(given);
  await given.pass(1);
  expect(given.ready).toBe('False Drifted');
  expect(given.status?.drift).toEqual([
    expect.objectContaining({ type: 'Changed', kind: 'NetworkPolicy', name: isolation.name }),
  ]);
  expect(given.status?.drift?.[0]).not.toHaveProperty('manager');
  expect(given.message).toContain(
    '1 object could not be read (NetworkPolicy acme/tenant-isolation',
  );
  expect(given.value('tenantry_objects_not_read')).toBe(1);
  giveBack();
  await given.pass(1);
  expect(given.status?.drift?.[0]).toMatchObject({
    field: expect.any(String),
    manager: 'somebody',
  });
  expect(given.value('tenantry_objects_not_read')).toBe(0);
});

test('an undeclared object is reported with its effect even if it may not be read', async () => {
  await using given = await FaultyTenants.begin();
  given.deny(`get ${policies}`);
  given.api.create(NetworkPolicy, {
    metadata: { namespace: 'acme', name: 'open' },
    spec: { podSelector: {}, ingress: [{}], policyTypes: ['Ingress'] },
  });
  await given.pass(1);
  expect(given.ready).toBe('False UndeclaredAccess');
  expect(given.status?.undeclared).toEqual([
    expect.objectContaining({
      name: 'open',
      givesAccess: true,
      effect: 'ingress from everywhere; for all pods',
    }),
  ]);
});

test('a kind that cannot be watched makes tenants unknown with the reason, until the watch works', async () => {
  await using given = await FaultyTenants.begin();
  const giveBack = given.hide(policies);
  await given.pass(20);
  expect(given.ready).toBe('Unknown NotObserved');
  expect(given.message).toMatch(
    /^networkpolicies\.networking\.k8s\.io cannot be watched since .*: Forbidden: Forbidden$/,
  );
  expect(given.value('tenantry_tenants_unknown')).toBe(1);
  giveBack();
  await given.pass(2);
  expect(given.ready).toBe('True AsDeclared');
});

test('an operator that starts without a right reports the rest, and reports the gap', async () => {
  await using given = await FaultyTenants.begin({ before: (one) => void one.hide(policies) });
  given.api.patch(ResourceQuota, quota, { spec: { hard: { pods: '99' } } });
  await given.pass(5);
  expect(given.ready).toBe('False Drifted');
  expect(given.message).toContain(`${policies} cannot be listed since`);
  expect(given.status?.drift?.map(({ type, kind }) => `${type} ${kind}`)).toEqual([
    'Changed ResourceQuota',
  ]);
});

test('without access to namespaces nothing is compared, and the last known state stays', async () => {
  await using given = await FaultyTenants.begin({ before: (one) => void one.hide('namespaces') });
  await given.pass(5);
  expect(given.ready).toBe('Unknown NotObserved');
});

test.each([
  ['a policy that denies it', refused(403, 'Forbidden')],
  ['a definition of another version', refused(422, 'Invalid')],
  ['a webhook that fails', refused(500, 'InternalError')],
  ['an unknown token', refused(401, 'Unauthorized')],
  ['a deleted definition', refused(404, 'NotFound')],
  ['a server that does not answer', new Unreachable('reset')],
])('a status that cannot be written is counted: %s', async (_, error) => {
  await using given = await FaultyTenants.begin();
  const giveBack = given.deny('patch tenants.tenantry.dev/status', error);
  given.api.patch(ResourceQuota, quota, { spec: { hard: { pods: '99' } } });
  await given.pass(3);
  expect(given.ready).toBe('True AsDeclared');
  expect(given.value('tenantry_statuses_refused')).toBe(1);
  giveBack();
  given.api.patch(ResourceQuota, quota, { spec: { hard: { pods: '98' } } });
  await given.pass(2);
  expect(given.ready).toBe('False Drifted');
  expect(given.value('tenantry_statuses_refused')).toBe(0);
});

test('of two faults neither hides the other', async () => {
  await using given = await FaultyTenants.begin();
  given.deny(`get ${policies}`);
  const giveBack = given.deny('patch tenants.tenantry.dev/status');
  given.hide(policies);
  open(given);
  await given.pass(15);
  expect(given.value('tenantry_statuses_refused')).toBe(1);
  expect(given.value('tenantry_objects_not_read')).toBe(1);
  const outage = `tenantry_watch_outage_seconds{cause="refused", resource="${policies}"}`;
  expect(given.value(outage)).toBeGreaterThan(120);
  giveBack();
  await given.pass(2);
  expect(given.ready).toBe('False Drifted');
  expect(given.message).toContain('cannot be watched since');
  expect(given.message).toContain('could not be read');
});

test('a rejected token is visible in failed watches and failed writes', async () => {
  await using given = await FaultyTenants.begin();
  const unauthorized = refused(401, 'Unauthorized');
  given.hide('*', unauthorized);
  for (const verb of ['get', 'patch', 'create']) given.deny(verb, unauthorized);
  await given.pass(20);
  expect(given.value('tenantry_statuses_refused')).toBe(1);
  const outages = [...given.series.keys()].filter((one) =>
    one.startsWith('tenantry_watch_outage_seconds{'),
  );
  expect(outages.length).toBeGreaterThan(5);
});

test('if healing is refused, the drift is reported with the reason', async () => {
  const platform = resolvePlatform({
    clusters: [{ name: 'eu' }],
    defaultClass: 'standard',
    operator: { driftPolicy: 'Heal' },
  });
  const spec = { driftPolicy: 'Heal' } as const;
  for (const denied of ['get tenants.tenantry.dev', `get ${policies}`]) {
    await using given = await FaultyTenants.begin({ platform, spec });
    given.deny(denied);
    open(given);
    await given.pass(2);
    expect(given.ready).toBe('False Drifted');
    const degraded = given.status?.conditions?.find(({ type }) => type === 'Degraded');
    expect(degraded).toMatchObject({ status: 'True', reason: 'HealRefused' });
    expect(degraded?.message).toContain('Forbidden');
  }
});

test('a program that writes an object endlessly causes few requests, and its last state is reported', async () => {
  await using given = await FaultyTenants.begin();
  const before = given.cluster.calls.length;
  for (let pods = 100; pods < 1_300; pods += 1) {
    given.api.patch(ResourceQuota, quota, { spec: { hard: { pods: `${pods}` } } });
    await given.managed.clock.advance(50);
  }
  const cost = given.cluster.calls.slice(before).filter((call) => !call.includes('events'));
  expect(cost.length).toBeLessThan(50);
  await given.pass(1);
  expect(given.status?.drift?.[0]).toMatchObject({ live: '"1299"' });
});

test('a healed object has a log line and is counted', async () => {
  const platform = resolvePlatform({
    clusters: [{ name: 'eu' }],
    defaultClass: 'standard',
    operator: { driftPolicy: 'Heal' },
  });
  await using given = await FaultyTenants.begin({ platform, spec: { driftPolicy: 'Heal' } });
  given.api.patch(ResourceQuota, quota, { spec: { hard: { pods: '99' } } });
  await given.pass(1);
  expect(given.managed.lines).toContainEqual(
    expect.objectContaining({
      msg: 'an object was healed',
      type: 'restore',
      kind: 'ResourceQuota',
      object: 'acme/tenant-quota',
      fields: ['spec.hard.pods'],
      managers: ['somebody'],
      name: 'acme',
    }),
  );
  expect(given.value('tenantry_heals_total{kind="ResourceQuota", type="restore"}')).toBe(1);
});

test('a fight pauses healing, also in the next process, until the pause ends', async () => {
  const platform = resolvePlatform({
    clusters: [{ name: 'eu' }],
    defaultClass: 'standard',
    operator: { driftPolicy: 'Heal' },
  });
  await using given = await FaultyTenants.begin({ platform, spec: { driftPolicy: 'Heal' } });
  const pods = () => given.cluster.peek(ResourceQuota, quota)?.spec?.hard?.['pods'];
  const change = async (): Promise<void> => {
    given.api.patch(ResourceQuota, quota, { spec: { hard: { pods: '99' } } });
    await given.managed.pass(6_000);
  };
  for (let times = 0; times < 8 && pods() !== '99'; times += 1) await change();
  expect(given.status?.leftAlone).toEqual([
    expect.objectContaining({ object: '/ResourceQuota acme/tenant-quota', healed: 5 }),
  ]);
  await given.restart();
  await given.managed.pass(20_000);
  expect(pods()).toBe('99');
  const degraded = given.status?.conditions?.find(({ type }) => type === 'Degraded');
  expect(degraded).toMatchObject({ status: 'True', reason: 'Fought' });
  await given.managed.pass(60_000);
  expect(pods()).toBe('10');
  await change();
  // The second pause is twice as long.
  expect(given.status?.leftAlone?.[0]?.healed).toBe(6);
  expect(pods()).toBe('99');
});

test('a deleted definition of Tenants counts as a kind that cannot be watched, not as no tenants', async () => {
  await using given = await FaultyTenants.begin();
  given.hide('tenants.tenantry.dev', refused(404, 'NotFound'));
  given.api.delete(Tenant, { name: 'acme' });
  await given.pass(15);
  const outage = 'tenantry_watch_outage_seconds{cause="absent", resource="tenants.tenantry.dev"}';
  expect(given.value(outage)).toBeGreaterThan(120);
  expect(given.value('tenantry_tenants{state="ready"}')).toBe(0);
});
