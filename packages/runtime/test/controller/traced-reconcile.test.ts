import { afterEach, expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { ApiClient } from '../../client/api-client.ts';
import { Transport } from '../../connection/transport.ts';
import { controller } from '../../controller/controller.ts';
import { ControllerRun } from '../../controller/controller-run.ts';
import { done, requeueAfter } from '../../controller/context.ts';
import { eventAccess } from '../../events/events.ts';
import { reply, ScriptedServer } from '@tenantry/testing/faults/scripted-server';
import { until } from '@tenantry/testing/waiting/until';
import { jsonLog } from '../../log/log.ts';
import { createCluster } from '../../manager/open-cluster.ts';
import { MemoryTracer } from '../tracing/memory-tracer.ts';
import { refused } from '../observed-cluster.ts';
import { ConfigMap, inMall, Running, Shop, town } from './running.ts';

let tracer: MemoryTracer | undefined;
const traced = (): MemoryTracer => (tracer = new MemoryTracer());
afterEach(() => tracer?.end());

test('each reconcile is a trace of its own, which has its object and its outcome', async () => {
  const { spans, named } = bound(traced());
  const results = {
    a: () => done,
    b: () => requeueAfter(1e9),
    c: () => {
      throw new RangeError('no room');
    },
    d: () => {
      throw refused(409, 'Conflict');
    },
  };
  const shops = new Running(
    controller({
      name: 'shops',
      for: Shop,
      reconcile: async ({ object }) => results[object.metadata.name as keyof typeof results](),
    }),
  );
  for (const name of Object.keys(results)) shops.cluster.put(Shop, { metadata: inMall(name) });
  await shops.start();
  const reconciles = named('reconcile shops').map(
    ({ attributes, status, parent, kind, hasEnded }) => [
      attributes['tenantry.object'],
      attributes['tenantry.reconcile.result'],
      status,
      [parent, kind, hasEnded],
    ],
  );
  const plain = [undefined, 'INTERNAL', true];
  expect(reconciles).toEqual([
    ['mall/a', 'done', undefined, plain],
    ['mall/b', 'requeue-after', undefined, plain],
    ['mall/c', 'error', { code: 'ERROR', message: 'no room' }, plain],
    ['mall/d', 'conflict', undefined, plain],
  ]);
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(4);
  const { 'tenantry.reconcile.id': id, ...others } = spans[2]?.attributes ?? {};
  expect(others).toMatchObject({
    'tenantry.controller': 'shops',
    'tenantry.resource': 'shops.example.com',
    'error.type': 'RangeError',
  });
  const failed = shops.lines.find(({ msg }) => msg === 'the reconcile failed');
  expect([failed?.['reconcileID'], spans[2]?.exceptions]).toEqual([id, ['RangeError: no room']]);
  await shops.stop();
});

test('the calls of a reconcile are part of its trace, and its events are not', async () => {
  const { named } = bound(traced());
  const server = await ScriptedServer.start(({ body }, response) =>
    reply(response, JSON.parse(body)),
  );
  const authorize = async () => ({ headers: {}, tls: {} });
  const transport = new Transport({ server: server.url, authorize }, { qps: Infinity });
  const cluster = town();
  for (const name of ['a', 'b']) cluster.put(Shop, { metadata: inMall(name) });
  const shops = controller({
    name: 'shops',
    for: Shop,
    access: [allow(ConfigMap, 'create'), ...eventAccess],
    reconcile: async ({ object, client, event }) => {
      const { metadata } = object;
      await client.create(ConfigMap, { metadata: inMall(metadata.name) });
      event({ reason: 'Made', note: 'made it' });
      return done;
    },
  });
  const { clock } = cluster;
  const log = jsonLog({ clock, write: () => {} });
  const deps = { clock, random: () => 0, log };
  const { caches, run: fill } = createCluster(cluster.client, { ...deps, metrics: undefined });
  const run = new ControllerRun(shops, { ...deps, client: new ApiClient(transport), caches });
  const stop = new AbortController();
  const filled = fill(stop.signal);
  const ended = run.run({ stop: stop.signal, cut: new AbortController().signal });
  await until('all events are written', () => named('POST events.events.k8s.io').length === 2);
  stop.abort();
  await Promise.all([ended, filled]);
  const reconciles = named('reconcile shops');
  expect(named('POST configmaps').map(({ parent }) => parent)).toEqual(reconciles);
  expect(named('POST events.events.k8s.io').map(({ parent }) => parent)).toEqual([
    undefined,
    undefined,
  ]);
  const parents = server.received
    .filter(({ url }) => url.includes('configmaps'))
    .map(({ headers }) => String(headers['traceparent']).split('-')[1]);
  expect(parents).toEqual(reconciles.map((span) => span.spanContext().traceId));
  transport.close();
  await server.stop();
});

function bound(tracer: MemoryTracer) {
  return { spans: tracer.spans, named: (name: string) => tracer.named(name) };
}
