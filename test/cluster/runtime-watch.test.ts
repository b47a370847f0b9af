import { afterAll, expect } from '@jest/globals';
import { Cache } from '@tenantry/runtime/cache/cache';
import { ApiClient } from '@tenantry/runtime/client/api-client';
import type { Client, Reader } from '@tenantry/runtime/client/client';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { Transport } from '@tenantry/runtime/connection/transport';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { apiVersionOf, resourceOf, type Kind, type Live } from '@tenantry/runtime/kinds/kind';
import type { ReflectorEvent, Reflected, ReflectOptions } from '@tenantry/runtime/watch/options';
import { reflect } from '@tenantry/runtime/watch/reflect';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { TcpProxy } from '@tenantry/testing/faults/tcp-proxy';
import { configMaps } from '@tenantry/runtime/test/kinds/builtin';
import { RecordingSink } from '@tenantry/runtime/test/watch/recording-sink';
import { ofOneVersion } from './crds.ts';

const given = await sharedCluster();
const { test } = given;
const endings: (() => unknown)[] = [];
afterAll(() => Promise.all(endings.map((end) => end())));

function clientAt(server: string): Client {
  const connection = connectionOfUser(given.cluster.admin, server);
  const transport = new Transport(connection, { qps: Infinity });
  endings.push(() => transport.close());
  return new ApiClient(transport);
}

/** Starts a reflection that runs until the end of the file. */
function reflecting<K extends Kind>(
  reader: Reader,
  reflected: Reflected<K>,
  options: Partial<ReflectOptions> = {},
) {
  const sink = new RecordingSink<K>();
  const happenings: ReflectorEvent[] = [];
  const stop = new AbortController();
  const done = reflect(reader, reflected, sink, {
    signal: stop.signal,
    observe: (happening) => happenings.push(happening),
    ...options,
  });
  const end = (): Promise<void> => {
    stop.abort();
    return done;
  };
  endings.push(end);
  const count = (type: ReflectorEvent['type']): number =>
    happenings.filter((happening) => happening.type === type).length;
  return { sink, happenings, end, count };
}

/** Makes a reader behave as with a server without WatchList. */
const withoutStreams = (reader: Reader): Reader => ({
  list: (kind, options) => reader.list(kind, options),
  watch(kind, options) {
    if (options?.sendInitialEvents) throw new ApiError({ code: 422 });
    return reader.watch(kind, options);
  },
});

const inSync = async (
  client: Client,
  namespace: string,
  sink: RecordingSink<typeof configMaps>,
) => {
  const { items } = await client.list(configMaps, { namespace });
  const versions = (objects: Iterable<Live<typeof configMaps>>): string[] =>
    Array.from(objects, ({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`).toSorted();
  return versions(items).join() === versions(sink.objects.values()).join();
};

for (const by of ['stream', 'pages'] as const) {
  test(`the server's objects are received by ${by}, and their changes after that`, async () => {
    const namespace = await newNamespace(given.cluster, 'watch');
    const client = clientAt(given.cluster.server);
    const create = (name: string) => client.create(configMaps, { metadata: { namespace, name } });
    await Promise.all(Array.from({ length: 7 }, (_, index) => create(`shop-${index}`)));
    const reader = by === 'stream' ? client : withoutStreams(client);
    const reflected = { kind: configMaps, selection: { namespace } };
    const { sink, happenings, count } = reflecting(reader, reflected, { pageSize: 3 });
    await until('all are listed', () => count('listed') === 1);
    expect(happenings.at(-1)).toMatchObject({ type: 'listed', by });
    expect(await inSync(client, namespace, sink)).toBe(true);
    const name = { namespace, name: 'shop-0' };
    await client.patch(configMaps, name, { data: { a: 'b' } });
    await client.delete(configMaps, name);
    await create('shop-0');
    await until('the sink has the same objects', () => inSync(client, namespace, sink));
    const changes = sink.changes.filter(({ key }) => key === `${namespace}/shop-0`);
    expect(changes.map(({ type, object }) => `${type} ${object.data?.['a'] ?? ''}`.trim())).toEqual(
      ['put', 'put b', 'drop b', 'put'],
    );
    expect(count('listed')).toBe(1);
  });
}

test('a cut watch is resumed without another list', async () => {
  const namespace = await newNamespace(given.cluster, 'watch');
  const client = clientAt(given.cluster.server);
  const proxy = await TcpProxy.start(given.cluster.server);
  endings.push(() => proxy.stop());
  const { sink, count } = reflecting(clientAt(proxy.address), {
    kind: configMaps,
    selection: { namespace },
  });
  await until('it is listed', () => count('listed') === 1);
  for (const name of ['a', 'b', 'c']) {
    proxy.cut();
    await client.create(configMaps, { metadata: { namespace, name } });
    await until(`${name} is received`, () => sink.objects.has(`${namespace}/${name}`));
  }
  await client.delete(configMaps, { namespace, name: 'a' });
  await until('the sink has the same objects', () => inSync(client, namespace, sink));
  expect([count('listed'), count('failed') >= 3]).toEqual([1, true]);
  const names = sink.changes.map(({ type, key }) => `${type} ${key.split('/')[1]}`);
  expect(names.filter((one) => !one.includes('kube-root-ca'))).toEqual([
    'put a',
    'put b',
    'put c',
    'drop a',
  ]);
});

test('a hanging watch is opened again', async () => {
  const namespace = await newNamespace(given.cluster, 'watch');
  const client = clientAt(given.cluster.server);
  const proxy = await TcpProxy.start(given.cluster.server);
  endings.push(() => proxy.stop());
  const reflected = { kind: configMaps, selection: { namespace } };
  const reader = clientAt(proxy.address);
  const { sink, happenings, count } = reflecting(reader, reflected, { idleTimeout: 1500 });
  await until('it is listed', () => count('listed') === 1);
  proxy.hang();
  await client.create(configMaps, { metadata: { namespace, name: 'a' } });
  await until('the object is received', () => sink.objects.has(`${namespace}/a`));
  expect(happenings).toContainEqual(expect.objectContaining({ type: 'failed', cause: 'quiet' }));
});

/** Returns a kind that has no definition yet. */
function newKind(): Kind<{ spec?: { size?: number } }> {
  const group = `${uniqueName('watch')}.example.com`;
  return { group, version: 'v1', kind: 'Shop', plural: 'shops', scope: 'Cluster' };
}

function define(kind: Kind): Promise<unknown> {
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  return given.cluster.admin.create(
    ofOneVersion({ ...kind, apiVersion: apiVersionOf(kind) }, schema),
  );
}

/** Creates an object as soon as its kind is served. */
async function untilCreated(client: Client, kind: ReturnType<typeof newKind>): Promise<void> {
  await until('an object is stored', async () => {
    await client.create(kind, { metadata: { name: 'a' }, spec: { size: 1 } });
    return true;
  });
}

test('an expired version leads to another list, and only the differences are reported', async () => {
  const client = clientAt(given.cluster.server);
  const kind = newKind();
  await define(kind);
  await untilCreated(client, kind);
  let opened = 0;
  const forgetful: Reader = {
    list: (kind, options) => client.list(kind, options),
    async *watch(kind, options = {}) {
      opened += 1;
      if (opened > 2) return yield* client.watch(kind, options);
      if (opened === 2) return yield* client.watch(kind, { ...options, resourceVersion: '1' });
      for await (const event of client.watch(kind, options)) {
        yield event;
        if (event.type === 'BOOKMARK') return;
      }
    },
  };
  const { sink, happenings, count } = reflecting(forgetful, { kind });
  await until('it is listed', () => count('listed') === 1);
  await client.create(kind, { metadata: { name: 'b' } });
  await until('the objects are listed again', () => count('listed') === 2);
  expect(happenings).toContainEqual(expect.objectContaining({ type: 'failed', cause: 'expired' }));
  expect(sink.changes.map(({ type, key }) => `${type} ${key}`)).toEqual(['put a', 'put b']);
});

test('a reflection waits for a kind that is not served yet, and drops the objects of a deleted kind', async () => {
  const client = clientAt(given.cluster.server);
  const kind = newKind();
  const { sink, happenings } = reflecting(client, { kind });
  await until('the missing kind is reported', () => happenings.length > 0);
  expect(happenings[0]).toMatchObject({ type: 'failed', cause: 'absent', attempt: 1 });
  await define(kind);
  await untilCreated(client, kind);
  await until('the object is received', () => sink.objects.has('a'));
  await given.cluster.admin.delete({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    name: resourceOf(kind),
  });
  await until('the object is dropped', () => !sink.objects.has('a'));
});

test('a watch of metadata returns metadata only', async () => {
  const namespace = await newNamespace(given.cluster, 'watch');
  const client = clientAt(given.cluster.server);
  const metadata = { namespace, name: 'a', labels: { app: 'till' } };
  await client.create(configMaps, { metadata, data: { a: 'b' } });
  const selection = { namespace, labelSelector: 'app in (till)' };
  for (const reader of [client, withoutStreams(client)]) {
    const { sink } = reflecting(reader, { kind: configMaps, selection, metadataOnly: true });
    await until('the object is received', () => sink.objects.size === 1);
    await client.patch(configMaps, metadata, { data: { a: uniqueName('c') } });
    await until('the change is received', () => sink.changes.length === 2);
    for (const { object } of sink.changes) {
      expect(object).toEqual({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: expect.objectContaining({ namespace, name: 'a', labels: { app: 'till' } }),
      });
    }
  }
});

test('a controller reads what it wrote, in whichever order answers and watch events arrive', async () => {
  const namespace = await newNamespace(given.cluster, 'watch');
  const client = clientAt(given.cluster.server);
  const errors: unknown[] = [];
  const cache = new Cache(
    { kind: configMaps, selection: { namespace }, project: (object) => object },
    {
      reader: client,
      clock: systemClock,
      random: Math.random,
      freeze: true,
      onError: (error) => errors.push(error),
    },
  );
  const stop = new AbortController();
  const run = cache.run(stop.signal);
  await cache.synced;
  for (let round = 0; round < 30; round += 1) {
    const name = { namespace, name: `shop-${round % 3}` };
    const seen = cache.get(name);
    if (seen && round % 5 === 4) {
      await client.delete(configMaps, name, { preconditions: { uid: seen.metadata.uid } });
      cache.deleted(name, seen.metadata.uid);
      expect(cache.get(name)).toBeUndefined();
    } else {
      // The server refuses this write unless the object that was read is the newest.
      const metadata = { ...name, resourceVersion: seen?.metadata.resourceVersion ?? '' };
      const written = seen
        ? await client.update(configMaps, { metadata, data: { round: String(round) } })
        : await client.create(configMaps, { metadata: name });
      cache.written(written);
      expect(cache.get(name)?.metadata.resourceVersion).toBe(written.metadata.resourceVersion);
    }
  }
  expect(errors).toEqual([]);
  stop.abort();
  await run;
});
