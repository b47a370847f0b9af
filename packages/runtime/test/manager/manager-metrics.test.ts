import { expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../clock/clock.ts';
import { controller } from '../../controller/controller.ts';
import { done } from '../../controller/context.ts';
import { PAUSED } from '../../controller/object-reconciler.ts';
import { eventAccess } from '../../events/events.ts';
import { jsonLog } from '../../log/log.ts';
import { withLeaderMetric } from '../../manager/manager-servers.ts';
import { openCluster } from '../../manager/open-cluster.ts';
import { Metrics } from '../../metrics/metrics.ts';
import { Manager } from '../../manager/manager.ts';
import { inMall, Shop } from '../controller/running.ts';
import { until } from '@tenantry/testing/waiting/until';
import { reply, ScriptedServer } from '@tenantry/testing/faults/scripted-server';
import { namespaces } from '../kinds/builtin.ts';
import { samplesOf } from '../metrics/scraped.ts';
import { Election, Managed } from './managed.ts';

const opens = controller({
  name: 'opens',
  for: Shop,
  access: [...eventAccess],
  reconcile: async ({ event }) => {
    event({ reason: 'Opened', note: 'opened it' });
    event({ reason: '', note: 'without a reason' });
    return done;
  },
});
const reconcile = async ({ object }: { object: { metadata: { name: string } } }) => {
  if (object.metadata.name === 'bad') throw new Error('bad');
  await Promise.resolve();
  return done;
};
const shops = controller({ name: 'shops', for: Shop, concurrency: 3, reconcile });
const metrics = { port: 0, host: '127.0.0.1', ofProcess: false };

/** Returns the metrics that are served now. */
async function scrape({ lines }: Managed): Promise<Map<string, number>> {
  const port = Number(lines.find(({ port }) => port !== undefined)?.['port']);
  const headers = { connection: 'close' };
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
  return samplesOf(await response.text());
}

test('a manager serves metrics of its reconciles, queues, lists and lead', async () => {
  const election = new Election([]);
  const notifications: string[] = [];
  const managed = new Managed({
    controllers: [shops, opens],
    metrics,
    leaderElection: election,
    observer: {
      ended: (_, outcome) => notifications.push(outcome),
      queue: () => ({ added: (key) => notifications.push(key) }),
    },
  });
  for (const name of ['a', 'b', 'bad']) managed.cluster.put(Shop, { metadata: inMall(name) });
  const annotations = { [PAUSED]: 'true' };
  managed.cluster.put(Shop, { metadata: { ...inMall('closed'), annotations } });
  await managed.start();
  await until('metrics are served', () => managed.lines.some(({ port }) => port !== undefined));
  const before = await scrape(managed);
  expect(before.get('leader_election_master_status{name="leader"}')).toBe(0);
  expect(before.get('controller_runtime_max_concurrent_reconciles{controller="shops"}')).toBe(3);
  election.lead();
  await managed.pass();
  const during = await scrape(managed);
  const results = 'controller_runtime_reconcile_total{controller="shops", result=';
  expect(during.get('leader_election_master_status{name="leader"}')).toBe(1);
  expect(during.get(`${results}"success"}`)).toBe(3);
  expect(during.get(`${results}"error"}`)).toBeGreaterThan(0);
  expect(during.get('workqueue_adds_total{controller="shops", name="shops"}')).toBeGreaterThan(3);
  expect(during.get('tenantry_controller_paused_objects{controller="shops"}')).toBe(1);
  const lists = [...during].filter(([name]) => /list_duration_seconds_count.*shops/.test(name));
  expect(lists.map(([, count]) => count)).toEqual([1]);
  expect(notifications).toEqual(expect.arrayContaining(['mall/a', 'done', 'error', 'paused']));
  expect(during.get('tenantry_cache_objects{resource="shops.example.com"}')).toBe(4);
  expect(during.get('tenantry_events_written_total{how="created"}')).toBe(4);
  expect(during.get('tenantry_events_lost_total{cause="invalid"}')).toBe(3);
  managed.cluster.remove(Shop, inMall('closed'));
  election.lose();
  await managed.pass(1000);
  const after = await scrape(managed);
  expect(after.get('leader_election_master_status{name="leader"}')).toBe(0);
  expect(after.get('tenantry_cache_objects{resource="shops.example.com"}')).toBe(3);
  await managed.stop();
  await until('it has ended', () => managed.ended !== undefined);
  expect(managed.ended).toBe('ended');
});

test('a paused object is no longer counted once it is deleted', async () => {
  const managed = new Managed({ controllers: [shops], metrics });
  const annotations = { [PAUSED]: 'true' };
  managed.cluster.put(Shop, { metadata: { ...inMall('closed'), annotations } });
  await managed.start();
  await until('metrics are served', () => managed.lines.some(({ port }) => port !== undefined));
  const paused = async () =>
    (await scrape(managed)).get('tenantry_controller_paused_objects{controller="shops"}');
  expect(await paused()).toBe(1);
  managed.cluster.remove(Shop, inMall('closed'));
  await managed.pass(1000);
  expect(await paused()).toBe(0);
  await managed.stop();
  await until('it has ended', () => managed.ended !== undefined);
});

test('a manager with protected metrics has the access to review their readers', () => {
  const resources = (isProtected: boolean) =>
    new Manager({ controllers: [shops], metrics: { isProtected } }).access.map(
      ({ resource }) => resource,
    );
  expect(resources(true)).toEqual([...resources(false), 'tokenreviews', 'subjectaccessreviews']);
});

test('a protected page without a certificate ends the manager', async () => {
  const managed = new Managed({ controllers: [shops], metrics: { ...metrics, isProtected: true } });
  await managed.start();
  expect(String(managed.ended)).toContain('certificate must be set');
});

test('a replica that lost the lease or stops is not counted as leading, even while it still works', async () => {
  const election = new Election([]);
  const notifications: boolean[] = [];
  const counted = withLeaderMetric(election, {
    leads: (_, { isLeading }) => notifications.push(isLeading),
  });
  let finish = (): void => {};
  const working = (): Promise<void> =>
    new Promise((resolve) => {
      finish = resolve;
    });
  const stop = new AbortController();
  const run = counted.run(working, stop.signal);
  election.lead();
  election.lose();
  expect(notifications).toEqual([false, true, false]);
  finish();
  await Promise.resolve();
  election.lead();
  stop.abort();
  finish();
  await run;
  expect(notifications.slice(3).at(-1)).toBe(false);
  expect(notifications.filter(Boolean)).toHaveLength(2);
  expect(counted.isLeading()).toBe(true);
  election.isSure = false;
  expect(counted.isLeading()).toBe(false);
});

test('the client that a manager creates counts requests, and warns of an unchecked server', async () => {
  const server = await ScriptedServer.start((_, response) => {
    reply(response, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
  });
  const { host } = new URL(server.url);
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-'));
  const kubeconfig = join(folder, 'config');
  const named = { name: 'test' };
  const config = {
    clusters: [{ ...named, cluster: { server: server.url, 'insecure-skip-tls-verify': true } }],
    users: [{ ...named, user: {} }],
    contexts: [{ ...named, context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  process.env['KUBECONFIG'] = kubeconfig;
  const counting = await Metrics.create({ ofProcess: false });
  const lines: string[] = [];
  const log = jsonLog({ clock: systemClock, write: (line) => lines.push(line) });
  const props = { client: undefined, clock: systemClock, random: Math.random, log };
  const cluster = await openCluster({ ...props, metrics: counting });
  await cluster.client.get(namespaces, { name: 'a' });
  cluster.close();
  await server.stop();
  await rm(folder, { recursive: true });
  expect(lines.filter((line) => line.includes('insecure-skip-tls-verify'))).toHaveLength(1);
  const { text } = await counting.page();
  const name = `rest_client_requests_total{code="200", host="${host}", method="GET"}`;
  expect(samplesOf(text).get(name)).toBe(1);
});

test('a controller creates metrics of what it watches, and reports them while it leads', async () => {
  const counting = controller({
    name: 'counting',
    for: Shop,
    reconcile,
    metrics({ instruments, cache }) {
      instruments.gauge(
        { name: 'shops_open', help: 'Shops by their namespace', labels: ['namespace'] },
        (gauge) => {
          gauge.reset();
          for (const { metadata } of cache()?.list(Shop) ?? []) {
            gauge.inc({ namespace: metadata.namespace ?? '' });
          }
        },
      );
    },
  });
  const election = new Election([]);
  const managed = new Managed({ controllers: [counting], metrics, leaderElection: election });
  for (const name of ['a', 'b']) managed.cluster.put(Shop, { metadata: inMall(name) });
  await managed.start();
  await until('metrics are served', () => managed.lines.some(({ port }) => port !== undefined));
  const open = async () => (await scrape(managed)).get('shops_open{namespace="mall"}');
  expect(await open()).toBeUndefined();
  election.lead();
  await managed.pass();
  expect(await open()).toBe(2);
  managed.cluster.remove(Shop, inMall('a'));
  await managed.pass(1000);
  expect(await open()).toBe(1);
  election.lose();
  await managed.pass(1000);
  expect(await open()).toBeUndefined();
  await managed.stop();
  await until('it has ended', () => managed.ended !== undefined);
});
