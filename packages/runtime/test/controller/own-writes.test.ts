import { expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { metadataOf, type Live, scaleOf } from '../../kinds/kind.ts';
import { done } from '../../controller/context.ts';

import { ConfigMap, inMall, Running, Secret, Shop, shops, town } from './running.ts';

test('a controller reads its own writes at once, before any watch reports them', async () => {
  const read: (Live | undefined)[] = [];
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a') });
  await using running = new Running(
    controller({
      ...shops,
      owns: [metadataOf(ConfigMap)],
      access: [allow(ConfigMap, 'create')],
      reconcile: async ({ client, cache, owned, children }) => {
        const options = { dryRun: true };
        await client.create(ConfigMap, owned({ metadata: { name: 'dry' } }), options);
        await client.create(ConfigMap, owned({ metadata: { name: 'b' } }));
        read.push(
          cache.get(metadataOf(ConfigMap), inMall('b')),
          ...children(metadataOf(ConfigMap)),
        );
        return done;
      },
    }),
    { cluster },
  );
  cluster.isSilent = true;
  await running.start();
  expect(read.map((object) => object?.metadata.name)).toEqual(['b', 'b']);
  expect(cluster.options.map((options) => options?.fieldManager)).toEqual(['shops', 'shops']);
});

test('a controller no longer reads what it deleted, unless the deletion was a dry run', async () => {
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a') });
  cluster.put(ConfigMap, { metadata: inMall('b') });
  const found: boolean[] = [];
  await using running = new Running(
    controller({
      ...shops,
      owns: [ConfigMap],
      access: [allow(ConfigMap, 'delete')],
      reconcile: async ({ client, cache }) => {
        const find = () => found.push(cache.get(ConfigMap, inMall('b')) !== undefined);
        await client.delete(ConfigMap, inMall('b'), { dryRun: true });
        find();
        await client.delete(ConfigMap, inMall('b'));
        find();
        return done;
      },
    }),
    { cluster },
  );
  cluster.isSilent = true;
  await running.start();
  expect(found).toEqual([true, false]);
});

test('a controller reads an object that it deleted and that waits for its finalizers as being deleted', async () => {
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a') });
  cluster.put(ConfigMap, { metadata: { ...inMall('b'), finalizers: ['example.com/held'] } });
  const found: boolean[] = [];
  await using running = new Running(
    controller({
      ...shops,
      owns: [ConfigMap],
      access: [allow(ConfigMap, 'delete')],
      reconcile: async ({ client, cache }) => {
        const isGoing = () =>
          cache.get(ConfigMap, inMall('b'))?.metadata.deletionTimestamp !== undefined;
        found.push(isGoing());
        const waiting = await client.delete(ConfigMap, inMall('b'));
        found.push(isGoing(), waiting?.metadata.name === 'b');
        return done;
      },
    }),
    { cluster },
  );
  cluster.isSilent = true;
  await running.start();
  expect(found).toEqual([false, true, true]);
});

test('an object that is created again during a deletion stays visible', async () => {
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a') });
  const before = cluster.put(ConfigMap, { metadata: inMall('b') });
  const found: (string | undefined)[] = [];
  await using running = new Running(
    controller({
      ...shops,
      owns: [ConfigMap],
      access: [allow(ConfigMap, 'delete')],
      reconcile: async ({ client, cache }) => {
        const find = () => found.push(cache.get(ConfigMap, inMall('b'))?.metadata.uid);
        find();
        await client.delete(ConfigMap, inMall('b'));
        find();
        return done;
      },
    }),
    { cluster },
  );
  // The object is created again, and the watch reports it, before the deletion is answered.
  cluster.after = async (call) => {
    if (call.startsWith('delete')) cluster.put(ConfigMap, { metadata: inMall('b') });
    await cluster.clock.sleep(1);
  };
  await running.start();
  await running.pass(10);
  expect(found.slice(0, 2)).toEqual([
    before.metadata.uid,
    cluster.peek(ConfigMap, inMall('b'))?.metadata.uid,
  ]);
});

test('an object that one controller deleted is removed from other caches of its kind', async () => {
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a') });
  const { uid } = cluster.put(Secret, { metadata: inMall('key') }).metadata;
  const found: boolean[] = [];
  await using running = new Running(
    controller({
      ...shops,
      access: [allow(Secret, 'delete')],
      reconcile: async ({ client }) => {
        found.push(cache.get(inMall('key')) !== undefined);
        await client.delete(Secret, inMall('key'), { preconditions: { uid } });
        return done;
      },
    }),
    { cluster },
  );
  cluster.isSilent = true;
  const { cache } = running.caches.open(Secret, { selection: {}, metadataOnly: false });
  await running.start();
  expect(found).toEqual([true]);
  expect(cache.get(inMall('key'))).toBeUndefined();
});

test('the answer of a subresource of another kind is not mistaken for the object', async () => {
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a'), spec: { size: 1 } });
  const sizes: unknown[] = [];
  await using running = new Running(
    controller({
      ...shops,
      access: [allow(scaleOf(Shop), 'patch'), allow(Shop, 'patch').subresource('status')],
      reconcile: async ({ client, cache }) => {
        await client.patch(scaleOf(Shop), inMall('a'), { spec: { replicas: 2 } });
        sizes.push(cache.get(Shop, inMall('a'))?.spec?.size);
        const status = { seen: 1 };
        await client.patch(Shop, inMall('a'), { status }, { subresource: 'status' });
        sizes.push(cache.get(Shop, inMall('a'))?.spec?.size);
        return done;
      },
    }),
    { cluster },
  );
  cluster.isSilent = true;
  await running.start();
  expect(sizes).toEqual([1, 2]);
});

test('writes use the name of the controller as field manager, unless the call sets another', async () => {
  await using running = new Running(
    controller({
      ...shops,
      access: [allow(ConfigMap, 'create', 'update', 'patch', 'delete')],
      reconcile: async ({ client }) => {
        const object = { metadata: inMall('b') };
        await client.create(ConfigMap, object);
        await client.update(ConfigMap, object);
        await client.patch(ConfigMap, inMall('b'), {});
        await client.apply(ConfigMap, object);
        await client.patch(ConfigMap, inMall('b'), {}, { fieldManager: 'other' });
        await client.delete(ConfigMap, inMall('b'));
        return done;
      },
    }),
  );
  const { cluster } = running;
  cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  expect(cluster.options.map((options) => options?.fieldManager)).toEqual([
    'shops',
    'shops',
    'shops',
    'shops',
    'other',
    undefined,
  ]);
});

test('a call ends when its caller aborts it', async () => {
  await using running = new Running(
    controller({
      ...shops,
      access: [allow(ConfigMap, 'create')],
      reconcile: async ({ client }) => {
        const own = new AbortController();
        const created = client.create(ConfigMap, { metadata: inMall('b') }, { signal: own.signal });
        own.abort();
        await created;
        return done;
      },
    }),
  );
  const { cluster } = running;
  const given: (AbortSignal | undefined)[] = [];
  cluster.before = () => void given.push(cluster.options.at(-1)?.signal);
  cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  expect(given.map((signal) => signal?.aborted)).toEqual([true]);
});
