import { expect, test } from '@jest/globals';
import { CacheSet } from '../../cache/cache-set.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { AccessDenied } from '../../errors/client-errors.ts';
import { ApiError } from '../../errors/api-error.ts';
import { shops, SimulatedServer, type Shop } from '../watch/simulated-server.ts';

const a = { name: 'a' };

function given() {
  const clock = new VirtualClock();
  const server = new SimulatedServer(clock);
  const errors: string[] = [];
  const caches = new CacheSet({
    reader: server,
    clock,
    random: () => 0,
    onError: (error, kind) => errors.push(`${kind.kind}: ${String(error)}`),
  });
  const stop = new AbortController();
  return { clock, server, caches, stop, errors };
}

test('a kind and a selection share one watch until the last user releases it', async () => {
  const { clock, server, caches, stop } = given();
  server.put(a, 1);
  const run = caches.run(stop.signal);
  const [one, two] = [caches.open({ kind: shops }), caches.open({ kind: shops, selection: {} })];
  await clock.advance(0);
  await caches.synced();
  expect(one.cache).toBe(two.cache);
  expect([one.cache.list().length, server.openWatches]).toEqual([1, 1]);
  await one.release();
  await one.release();
  expect(server.openWatches).toBe(1);
  await two.release();
  expect(server.openWatches).toBe(0);
  const three = caches.open({ kind: shops });
  expect(three.cache).not.toBe(one.cache);
  await clock.advance(0);
  expect(server.openWatches).toBe(1);
  stop.abort();
  await run;
  expect([server.openWatches, clock.waiting]).toEqual([0, 0]);
  await expect(
    caches.open({ kind: { ...shops, version: 'v2' } }).release(),
  ).resolves.toBeUndefined();
});

test('another selection, another version and metadata only have caches of their own', async () => {
  const { clock, server, caches, stop } = given();
  const run = caches.run(stop.signal);
  const cached = [
    caches.open({ kind: shops }),
    caches.open({ kind: shops, metadataOnly: true }),
    caches.open({ kind: { ...shops, version: 'v2' } }),
    caches.open({ kind: shops, selection: { namespace: 'x' } }),
    caches.open({ kind: shops, selection: { labelSelector: 'x' } }),
    caches.open({ kind: shops, selection: { fieldSelector: 'x' } }),
  ].map(({ cache }) => cache as object);
  await clock.advance(0);
  expect([new Set(cached).size, server.openWatches]).toEqual([6, 6]);
  expect(server.calls.filter((call) => call.metadataOnly === true)).toHaveLength(1);
  stop.abort();
  await run;
});

test('caches that were opened before the run start with it', async () => {
  const { clock, server, caches, stop } = given();
  server.put(a, 1);
  const { cache } = caches.open({ kind: shops });
  await clock.advance(0);
  expect(server.calls).toEqual([]);
  const run = caches.run(stop.signal);
  await clock.advance(0);
  expect(cache.list()).toHaveLength(1);
  stop.abort();
  await run;
});

test('users share one projection, and add indexes of their own', () => {
  const { caches } = given();
  const project = ({ metadata }: Shop): Pick<Shop, 'metadata'> => ({ metadata });
  const byUid = ({ metadata }: Pick<Shop, 'metadata'>): string[] => [metadata.uid];
  caches.open({ kind: shops, project });
  const { cache } = caches.open({ kind: shops, project, indexes: [byUid] });
  expect(cache.list({ index: { by: byUid, is: 'uid-1' } })).toEqual([]);
  expect(() => caches.open({ kind: shops })).toThrow(
    'the cache of shops.example.com is used with another projection',
  );
});

test('own writes reach every cache of the kind, and no other cache', () => {
  const { caches, server } = given();
  const [all, inX] = [
    caches.open({ kind: shops }).cache,
    caches.open({ kind: shops, selection: { namespace: 'x' } }).cache,
  ];
  const other = caches.open({ kind: { ...shops, version: 'v2' } }).cache;
  const tills = caches.open({ kind: { ...shops, plural: 'tills' } }).cache;
  const shop = server.put({ name: 'a', namespace: 'x' }, 1);
  caches.written(shops, shop);
  caches.written(shops, server.put(a, 1));
  expect([all, inX, other, tills].map((cache) => cache.list().length)).toEqual([2, 1, 0, 0]);
  caches.deleted(shops, shop.metadata, shop.metadata.uid);
  expect([all, inX, other, tills].map((cache) => cache.list().length)).toEqual([1, 0, 0, 0]);
});

test('a cache of metadata shows only the metadata of own writes', () => {
  const { caches, server } = given();
  const { cache } = caches.open({ kind: shops, metadataOnly: true });
  const shop = server.put(a, 1);
  caches.written(shops, shop);
  const { apiVersion, kind, metadata } = shop;
  expect(cache.get(a)).toEqual({ apiVersion, kind, metadata });
  // @ts-expect-error -- and the compiler knows
  expect(cache.get(a)?.spec).toBeUndefined();
});

test('the failure of one cache ends all caches, and is reported', async () => {
  const { clock, server, caches, stop } = given();
  const missing = { group: 'example.com', resource: 'shops', verbs: ['watch' as const] };
  const denied = new AccessDenied('shopkeeper', missing, "allow(shops, 'watch')");
  const run = expect(caches.run(stop.signal)).rejects.toBe(denied);
  const { cache } = caches.open({ kind: shops, selection: { namespace: 'x' } });
  await clock.advance(0);
  server.failures.push(denied);
  const broken = caches.open({ kind: shops });
  await clock.advance(0);
  await run;
  expect([server.openWatches, cache.isSynced]).toEqual([0, true]);
  await expect(broken.cache.synced).rejects.toBe(denied);
  await expect(broken.release()).resolves.toBeUndefined();
});

test('an unavailable kind does not delay the notifications of other kinds', async () => {
  const { clock, server, stop } = given();
  const tills = { ...shops, plural: 'tills' };
  let isAway = true;
  const seen: string[] = [];
  const caches = new CacheSet({
    reader: {
      list: (kind, options) => server.list(kind, options),
      watch(kind, options) {
        if (isAway && kind.plural === 'tills') throw new ApiError({ code: 503 });
        return server.watch(kind, options);
      },
    },
    clock,
    random: () => 0,
    onError: (error) => seen.push(String(error)),
    observe: ({ type }, { plural }) => seen.push(`${plural}: ${type}`),
  });
  server.put(a, 1);
  const cached = [tills, shops].map((kind) => caches.open({ kind }).cache);
  const run = caches.run(stop.signal);
  await clock.advance(0);
  expect(cached.map(({ isSynced }) => isSynced)).toEqual([false, true]);
  server.put({ name: 'b' }, 1);
  await clock.advance(0);
  expect(cached.map((cache) => cache.list().length)).toEqual([0, 2]);
  isAway = false;
  await clock.advance(1000);
  expect(cached.map((cache) => cache.list().length)).toEqual([2, 2]);
  expect(seen).toEqual(['tills: failed', 'shops: listed', 'tills: listed', 'tills: recovered']);
  stop.abort();
  await run;
});

test('an error of a handler is reported with its kind', async () => {
  const { clock, server, caches, stop, errors } = given();
  const run = caches.run(stop.signal);
  const { cache } = caches.open({ kind: shops });
  cache.subscribe({
    added: () => {
      throw new Error('broken');
    },
  });
  server.put(a, 1);
  await clock.advance(0);
  expect(errors).toEqual(['Shop: Error: broken']);
  stop.abort();
  await run;
});

test('a cache set that is stopped before it starts sends no request', async () => {
  const { clock, server, caches, stop } = given();
  const { cache } = caches.open({ kind: shops });
  stop.abort(new Error('stopped'));
  await caches.run(stop.signal);
  await clock.advance(0);
  expect(server.calls).toEqual([]);
  await expect(cache.synced).rejects.toThrow('the cache of Shop has ended');
});

test('a cache that is no longer used has ended, even if it never ran', async () => {
  const { server, caches } = given();
  const { cache, release } = caches.open({ kind: shops });
  const subscription = cache.subscribe({});
  await release();
  expect(server.calls).toEqual([]);
  const ended = 'the cache of Shop has ended';
  await expect(cache.synced).rejects.toThrow(ended);
  await expect(subscription.synced).rejects.toThrow(ended);
});

test('a cache that is opened after the end of the set has ended as well', async () => {
  const { server, caches, stop } = given();
  const run = caches.run(stop.signal);
  stop.abort(new Error('stopped'));
  await run;
  const { cache } = caches.open({ kind: shops });
  await expect(cache.synced).rejects.toThrow('the cache of Shop has ended');
  expect(server.calls).toEqual([]);
});
