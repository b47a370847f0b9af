import { expect, test } from '@jest/globals';
import type { CacheHandlers } from '../../cache/cached.ts';
import { Listener } from '../../cache/store.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Live } from '../../kinds/kind.ts';
import { TimeSlice } from '../../clock/pacing.ts';
import { WatchQueue } from '@tenantry/testing/simulation/server/wire';
import { gone, type shops, type Shop } from '../watch/simulated-server.ts';
import { CachedShops, nameAndSize } from './cached-shops.ts';

const a = { name: 'a' };
const inX = { name: 'a', namespace: 'x' };
const inY = { name: 'b', namespace: 'y' };

const started = async (
  given = new CachedShops(),
  prepare: (given: CachedShops) => void = () => undefined,
): Promise<CachedShops> => {
  prepare(given);
  await given.start();
  return given;
};

/** Returns handlers that record their notifications. */
function recording(notifications: string[], name = ''): CacheHandlers<Shop> {
  return {
    added: (shop, { isInitial }) =>
      notifications.push(`${name}${isInitial ? 'was' : 'added'} ${nameAndSize(shop)}`),
    changed: (before, now) =>
      notifications.push(`${name}${before.spec.size} to ${nameAndSize(now)}`),
    deleted: (last) => notifications.push(`${name}deleted ${nameAndSize(last)}`),
  };
}

test('the objects on the server can be read by name, namespace, labels and index', async () => {
  const bySize = (shop: Shop): string[] => [String(shop.spec.size), 'any'];
  const given = await started(new CachedShops({ indexes: [bySize] }), ({ server }) => {
    server.put(inX, 1, { labels: { app: 'till' } });
    server.put(inY, 2, { labels: { app: 'shelf' } });
    server.put({ name: 'c', namespace: 'y' }, 1);
  });
  const { cache, server } = given;
  const found = (query: Parameters<typeof cache.list>[0]): string[] =>
    cache.list(query).map(nameAndSize).toSorted();
  expect(cache.get(inX)?.spec.size).toBe(1);
  expect(cache.get({ name: 'a', namespace: 'y' })).toBeUndefined();
  expect(found({})).toEqual(['x/a=1', 'y/b=2', 'y/c=1']);
  expect(found({ namespace: 'y' })).toEqual(['y/b=2', 'y/c=1']);
  expect(found({ namespace: 'z' })).toEqual([]);
  expect(found({ labelSelector: 'app' })).toEqual(['x/a=1', 'y/b=2']);
  expect(found({ labelSelector: 'app!=till', namespace: 'y' })).toEqual(['y/b=2', 'y/c=1']);
  expect(found({ index: { by: bySize, is: '1' } })).toEqual(['x/a=1', 'y/c=1']);
  expect(found({ index: { by: bySize, is: '1' }, namespace: 'y' })).toEqual(['y/c=1']);
  server.put(inX, 2);
  server.delete(inY);
  await given.clock.advance(0);
  expect(found({ index: { by: bySize, is: '1' } })).toEqual(['y/c=1']);
  expect(found({ index: { by: bySize, is: '2' } })).toEqual(['x/a=2']);
  expect(found({ index: { by: bySize, is: 'any' } })).toEqual(['x/a=2', 'y/c=1']);
  expect(found({ labelSelector: 'app' })).toEqual([]);
  await given.stop();
});

test('an index can be added to a filled cache, and reading a missing index is an error', async () => {
  const given = await started(undefined, ({ server }) => server.put(a, 1));
  const bySize = (shop: Shop): string[] => [String(shop.spec.size)];
  expect(() => given.cache.list({ index: { by: bySize, is: '1' } })).toThrow(
    'the cache of Shop has no index bySize',
  );
  given.cache.index(bySize);
  given.cache.index(bySize);
  expect(given.cache.list({ index: { by: bySize, is: '1' } })).toHaveLength(1);
  await given.stop();
});

test('the cache keeps what the projection returns, without managedFields, and it cannot be changed', async () => {
  const project = (shop: Shop): Shop => ({ ...shop, spec: { size: -shop.spec.size } });
  const given = await started(new CachedShops({ project }), ({ server }) => {
    server.put(a, 1, { managedFields: [{ manager: 'kubectl' }], labels: { app: 'till' } });
  });
  const shop = given.cache.get(a);
  expect(shop?.spec.size).toBe(-1);
  expect(shop && 'managedFields' in shop.metadata).toBe(false);
  expect(given.server.objects.get('a')?.metadata.managedFields).toHaveLength(1);
  expect(() => Object.assign(shop?.metadata.labels ?? {}, { app: 'shelf' })).toThrow(TypeError);
  await given.stop();
});

test('a cache is synced once all notifications are sent, and never if it ends before that', async () => {
  const given = new CachedShops();
  given.server.put(a, 1);
  given.hold();
  const seen: string[] = [];
  void given.cache.synced.then(() => seen.push(...given.seen));
  await given.start();
  expect([given.cache.isSynced, seen]).toEqual([false, []]);
  await given.release();
  expect([given.cache.isSynced, seen]).toEqual([true, ['a=1']]);
  await given.stop();
  const ended = new CachedShops();
  ended.hold();
  await ended.start();
  await ended.stop();
  await expect(ended.cache.synced).rejects.toThrow('the cache of Shop has ended');
  await expect(ended.cache.subscribe({}).synced).rejects.toThrow('the cache of Shop has ended');
});

test('handlers are notified of the existing objects, then of changes, once each', async () => {
  const notifications: string[] = [];
  const given = new CachedShops();
  const subscription = given.cache.subscribe(recording(notifications));
  await started(given, ({ server }) => server.put(a, 1));
  await subscription.synced;
  given.server.put(inX, 2);
  given.server.put(a, 3);
  given.server.delete(a);
  await given.clock.advance(0);
  expect(notifications).toEqual(['was a=1', 'added x/a=2', '1 to a=3', 'deleted a=3']);
  subscription.end();
  given.server.put(inX, 3);
  await given.clock.advance(0);
  expect(notifications).toHaveLength(4);
  await given.stop();
});

test('late handlers are notified of the existing objects, and of all changes meanwhile', async () => {
  const given = new CachedShops();
  let worked = 0;
  const { clock } = given;
  // Each reading of the clock takes 6 ms, so that the second object falls into another time slice.
  const busy: Clock = {
    sleep: clock.sleep,
    date: () => clock.date(),
    after: (milliseconds, run) => clock.after(milliseconds, run),
    now: () => clock.now() + (worked += 6),
  };
  const slow = new CachedShops({}, { clock: busy, reader: given.reader, idleTimeout: 1e9 });
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) given.server.put({ name }, 1);
  const run = new AbortController();
  const done = slow.cache.run(run.signal);
  await clock.advance(0);
  const notifications: string[] = [];
  const subscription = slow.cache.subscribe(recording(notifications));
  let isSynced = false;
  void subscription.synced.then(() => (isSynced = true));
  expect([notifications.length < 6, isSynced]).toEqual([true, false]);
  given.server.put({ name: 'f' }, 2);
  given.server.delete({ name: 'e' });
  given.server.put({ name: 'a' }, 2);
  await clock.advance(0);
  expect(notifications.toSorted()).toEqual([
    '1 to a=2',
    '1 to f=2',
    'deleted e=1',
    'was a=1',
    'was b=1',
    'was c=1',
    'was d=1',
    'was e=1',
    'was f=1',
  ]);
  expect(notifications.indexOf('was e=1')).toBeLessThan(notifications.indexOf('deleted e=1'));
  expect(notifications.indexOf('was f=1')).toBeLessThan(notifications.indexOf('1 to f=2'));
  expect(isSynced).toBe(true);
  run.abort();
  await done;
});

test('handlers are synced once both they and the cache have sent all notifications', async () => {
  const given = new CachedShops();
  given.server.put(a, 1);
  given.hold();
  const [early, late] = [given.cache.subscribe({}), given.cache.subscribe({})];
  const synced: string[] = [];
  void early.synced.then(() => synced.push('early'));
  late.synced.catch((error: Error) => synced.push(error.message));
  await given.start();
  late.end();
  await given.clock.advance(0);
  expect(synced).toEqual(['the subscription has ended']);
  await given.release();
  expect(synced).toEqual(['the subscription has ended', 'early']);
  await given.stop();
  const notifications: string[] = [];
  const end = { onError: () => {}, onEnd: () => {} };
  const listener = new Listener<Shop>(
    { added: ({ metadata }) => notifications.push(metadata.name) },
    'ab',
    end,
  );
  void listener.synced.then(() => notifications.push('synced'));
  const slice = new TimeSlice(given.clock, new AbortController().signal);
  listener.sync();
  await given.clock.advance(0);
  expect(notifications).toEqual([]);
  await listener.catchUp((name) => given.server.put({ name }, 1), slice);
  listener.sync();
  await listener.synced;
  expect(notifications).toEqual(['a', 'b', 'synced']);
});

test('handlers that unsubscribe during the initial notifications get no more of them', async () => {
  const given = await started(undefined, ({ server }) => {
    server.put(a, 1);
    server.put({ name: 'b' }, 1);
  });
  const notifications: string[] = [];
  const end = { onError: () => {}, onEnd: () => notifications.push('end') };
  const handlers = {
    added: ({ metadata: { name } }: Shop) => {
      notifications.push(name);
      listener.end();
    },
  };
  const listener: Listener<Shop> = new Listener(handlers, ['a', 'b'], end);
  const slice = new TimeSlice(given.clock, new AbortController().signal);
  await listener.catchUp((name) => given.cache.get({ name }), slice);
  expect(notifications).toEqual(['a', 'end']);
  await given.stop();
});

test('handlers that unsubscribe during an initial notification do not get later changes of that object', () => {
  const notifications: string[] = [];
  const metadata = { name: 'a', uid: '1', resourceVersion: '1', creationTimestamp: '' };
  const end = (): void => listener.end();
  const handlers = { added: end, changed: () => notifications.push('changed') };
  const listener: Listener<Live> = new Listener(handlers, ['a'], {
    onError: () => {},
    onEnd: () => {},
  });
  const shop = { apiVersion: 'v1', kind: 'Shop', metadata };
  listener.changed('a', shop, shop);
  expect(notifications).toEqual([]);
});

test('errors of handlers, indexes and projections are reported, and stop nobody else', async () => {
  const notifications: string[] = [];
  const broken = (what: string) => (): never => {
    throw new Error(what);
  };
  const project = (shop: Shop): Shop => (shop.spec.size === 9 ? broken('projection')() : shop);
  const by = broken('index');
  const given = new CachedShops({ indexes: [by], project });
  given.cache.subscribe({ added: broken('added'), changed: broken('changed') });
  given.cache.subscribe(recording(notifications));
  await started(given, ({ server }) => server.put(a, 1));
  given.server.put(a, 2);
  given.server.put(inX, 9);
  await given.clock.advance(0);
  expect(notifications).toEqual(['was a=1', '1 to a=2']);
  expect([...new Set(given.errors.map(String))]).toEqual(
    ['index', 'added', 'changed', 'projection'].map((what) => `Error: ${what}`),
  );
  given.hold();
  given.cache.written(given.server.put(a, 3));
  expect(given.seen).toEqual(['a=3']);
  expect(given.cache.list({ index: { by, is: 'any' } })).toEqual([]);
  expect(() => given.cache.written(given.server.put(a, 9))).not.toThrow();
  await given.stop();
});

test('an own write is read before the watch reports it, and handlers are notified by the watch', async () => {
  const notifications: string[] = [];
  const bySize = (shop: Shop): string[] => [String(shop.spec.size)];
  const given = await started(new CachedShops({ indexes: [bySize] }), ({ server }) =>
    server.put(inX, 1),
  );
  const { cache, server } = given;
  cache.subscribe(recording(notifications));
  given.hold();
  cache.written(server.put(inX, 2, { labels: { app: 'till' } }));
  cache.written(server.put(inY, 3));
  await given.clock.advance(0);
  expect([given.seen, cache.get(inX)?.spec.size]).toEqual([['x/a=2', 'y/b=3'], 2]);
  expect(cache.list({ index: { by: bySize, is: '1' } })).toEqual([]);
  expect(cache.list({ index: { by: bySize, is: '3' }, namespace: 'y' })).toHaveLength(1);
  expect(cache.list({ index: { by: bySize, is: '3' }, namespace: 'x' })).toEqual([]);
  expect(cache.list({ labelSelector: 'app=till' })).toHaveLength(1);
  expect(notifications).toEqual(['was x/a=1']);
  await given.release();
  expect(notifications).toEqual(['was x/a=1', '1 to x/a=2', 'added y/b=3']);
  expect(given.seen).toEqual(['x/a=2', 'y/b=3']);
  await given.stop();
});

test('handlers are notified of an object that was created and deleted before any watch reported it', async () => {
  const given = new CachedShops();
  const { cache, server, clock } = given;
  await given.start();
  const notifications: string[] = [];
  cache.subscribe({
    added: (shop, { isInitial }) => notifications.push(`added ${nameAndSize(shop)} ${isInitial}`),
    deleted: (shop) => notifications.push(`deleted ${nameAndSize(shop)}`),
  });
  await clock.advance(0);
  server.cut();
  cache.written(server.put({ name: 'mine' }, 1));
  expect(given.seen).toEqual(['mine=1']);
  server.delete({ name: 'mine' });
  server.compact();
  await clock.advance(60_000);
  expect([given.seen, notifications]).toEqual([[], ['added mine=1 false', 'deleted mine=1']]);
  await given.stop();
});

test('an own write that the watch has overtaken changes nothing', async () => {
  const given = await started();
  const late = given.server.put(a, 1);
  given.server.put(a, 2);
  await given.clock.advance(0);
  given.cache.written(late);
  expect(given.seen).toEqual(['a=2']);
  given.server.delete(a);
  await given.clock.advance(0);
  given.cache.written(late);
  expect(given.seen).toEqual([]);
  await given.stop();
});

test('of two own writes the newer one is read, in whichever order they arrive', async () => {
  const given = await started();
  given.hold();
  const [first, second] = [given.server.put(a, 1), given.server.put(a, 2)];
  given.cache.written(second);
  given.cache.written(first);
  expect(given.seen).toEqual(['a=2']);
  await given.stop();
});

test('a change by others after an own write is read once the watch reports it', async () => {
  const given = await started();
  given.hold();
  given.cache.written(given.server.put(a, 1));
  given.server.put(a, 2);
  await given.release();
  expect(given.seen).toEqual(['a=2']);
  given.hold();
  given.cache.written(given.server.put(a, 3));
  given.server.delete(a);
  await given.release();
  expect(given.seen).toEqual([]);
  await given.stop();
});

test('an own deletion is read at once, until the object waits for its finalizers', async () => {
  const given = await started(undefined, ({ server }) => {
    server.put(a, 1);
    server.put(inX, 1);
  });
  const { server, cache } = given;
  given.hold();
  server.put(a, 2);
  const deletionTimestamp = '2026-01-01T00:00:01Z';
  server.put(a, 3, { deletionTimestamp, finalizers: ['example.com/till'] });
  cache.deleted(a, cache.get(a)?.metadata.uid ?? '');
  cache.deleted(inX, 'of another');
  expect(given.seen).toEqual(['x/a=1']);
  await given.release();
  expect(given.seen).toEqual(['a=3', 'x/a=1']);
  cache.deleted(a, cache.get(a)?.metadata.uid ?? '');
  expect(given.seen).toEqual(['a=3', 'x/a=1']);
  await given.stop();
});

test('a deleted object stays hidden when the watch reports an older state of it', async () => {
  const given = await started(undefined, ({ server }) => server.put(a, 1));
  const { server, cache } = given;
  given.hold();
  server.put(a, 2);
  cache.deleted(a, cache.get(a)?.metadata.uid ?? '');
  await given.release();
  expect(given.seen).toEqual([]);
  server.delete(a);
  await given.clock.advance(0);
  server.put(a, 3);
  await given.clock.advance(0);
  expect(given.seen).toEqual(['a=3']);
  await given.stop();
});

test('a notified handler reads the reported state at that moment', async () => {
  const given = await started(undefined, ({ server }) => server.put(a, 1));
  const { server, cache } = given;
  const read: (string | undefined)[] = [];
  const look = (shop: Shop): unknown => read.push(cache.get(shop.metadata)?.metadata.uid);
  cache.subscribe({ added: (shop, { isInitial }) => isInitial || look(shop), deleted: look });
  given.hold();
  cache.written(server.put(a, 2));
  server.delete(a);
  await given.release();
  expect(read).toEqual([undefined]);
  server.cut(gone());
  cache.written(server.put(a, 3));
  cache.deleted(a, cache.get(a)?.metadata.uid ?? '');
  server.delete(a);
  const { uid } = server.put(a, 4).metadata;
  await given.clock.advance(5000);
  expect([read.slice(1), given.seen]).toEqual([[uid], ['a=4']]);
  await given.stop();
});

test('an own write that moves an object out of the selection hides it at once', async () => {
  const selection = { labelSelector: 'app=till', namespace: 'x' };
  const given = await started(new CachedShops({ selection }), ({ server }) =>
    server.put(inX, 1, { labels: { app: 'till' } }),
  );
  given.hold();
  given.cache.written(given.server.put(inY, 1, { labels: { app: 'till' } }));
  expect(given.seen).toEqual(['x/a=1']);
  given.cache.written(given.server.put(inX, 2, { labels: { app: 'shelf' } }));
  expect(given.seen).toEqual([]);
  given.cache.written(given.server.put(inX, 3, { labels: { app: 'till' } }));
  expect(given.seen).toEqual(['x/a=3']);
  await given.stop();
});

test('an own write that moves an object back into the selection is read before the watch reports it', async () => {
  const notifications: string[] = [];
  const shop = (resourceVersion: string, size: number): Shop => ({
    apiVersion: 'example.com/v1',
    kind: 'Shop',
    metadata: {
      name: 'a',
      uid: 'one',
      resourceVersion,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: 'till' },
    },
    spec: { size },
  });
  const events = new WatchQueue<typeof shops>(undefined);
  const reader = {
    list: () => Promise.reject(new Error('nobody lists')),
    watch: () => events.events() as AsyncIterable<never>,
  };
  const given = new CachedShops({ selection: { labelSelector: 'app=till' } }, { reader });
  given.cache.subscribe(recording(notifications));
  await given.start();
  events.event({ type: 'ADDED', object: shop('10', 1) });
  events.event({ type: 'BOOKMARK', resourceVersion: '10', isInitialEventsEnd: true });
  await given.clock.advance(0);
  given.cache.written(shop('12', 3));
  events.event({ type: 'DELETED', object: shop('11', 2) });
  await given.clock.advance(0);
  expect(given.seen).toEqual(['a=3']);
  events.event({ type: 'ADDED', object: shop('12', 3) });
  events.event({ type: 'DELETED', object: shop('13', 4) });
  await given.clock.advance(0);
  expect(given.seen).toEqual([]);
  expect(notifications).toEqual(['was a=1', 'deleted a=1', 'added a=3', 'deleted a=3']);
  await given.stop();
});

test('where only the server can evaluate the selection, own writes show only in existing objects', async () => {
  const selection = { fieldSelector: 'spec.size>0' };
  const given = await started(new CachedShops({ selection }), ({ server }) => server.put(a, 1));
  given.hold();
  given.cache.written(given.server.put(a, 2));
  given.cache.written(given.server.put(inX, 2));
  expect(given.seen).toEqual(['a=2']);
  await given.stop();
  const named = new CachedShops({ selection: { fieldSelector: 'metadata.name=a' } });
  named.cache.written(named.server.put(inX, 1));
  named.cache.written(named.server.put(inY, 1));
  expect(named.seen).toEqual(['x/a=1']);
});

test('a list that began after an own write replaces it, whatever its version is', async () => {
  const given = await started(undefined, ({ server }) => server.put(a, 1));
  const { cache, server } = given;
  const shop = cache.get(a);
  if (!shop) throw new Error('a must be there');
  cache.written({ ...shop, metadata: { ...shop.metadata, resourceVersion: 'no-number' } });
  cache.written({ ...shop, metadata: { ...shop.metadata, name: 'b', resourceVersion: '999' } });
  cache.deleted(a, shop.metadata.uid);
  expect(given.seen).toEqual(['b=1']);
  server.put(inX, 1);
  server.cut(gone());
  await given.clock.advance(5000);
  expect(given.seen).toEqual(['a=1', 'x/a=1']);
  await given.stop();
});
