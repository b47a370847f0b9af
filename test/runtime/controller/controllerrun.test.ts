import { expect, test } from '@jest/globals';
import { allow } from '../../../runtime/access/grant.ts';
import { controller } from '../../../runtime/controller/controller.ts';
import { metadataOf } from '../../../runtime/controller/metadataof.ts';
import { generationChanged } from '../../../runtime/controller/predicate.ts';
import { done, requeueAfter } from '../../../runtime/controller/result.ts';
import { ifExists } from '../../../runtime/errors/expected.ts';
import type { Live } from '../../../runtime/kinds/kind.ts';
import { MemoryCluster, refused } from './memorycluster.ts';
import { ConfigMap, Country, inMall, Namespace, Running, Secret, Shop } from './running.ts';

/** A controller that only notes which shops it was called for. */
const noting = (seen: string[]) =>
  controller({
    name: 'shops',
    for: Shop,
    reconcile: async ({ object }) => {
      seen.push(object.metadata.name);
      return done;
    },
  });

/** Makes a ConfigMap of each shop's name. */
const stocking = controller({
  name: 'shops',
  for: Shop,
  owns: [ConfigMap],
  access: [allow(ConfigMap, 'create')],
  reconcile: async ({ object, client, cache, owned }) => {
    const { name, namespace } = object.metadata;
    if (!cache.get(ConfigMap, { name, namespace })) {
      await client.create(ConfigMap, owned({ metadata: { name } })).catch(ifExists);
    }
    return done;
  },
});

test('what an object means is made for those that are there and those that come, and comes back', async () => {
  const cluster = new MemoryCluster();
  cluster.put(Shop, { metadata: inMall('a') });
  const running = await new Running(stocking, { cluster }).start();
  cluster.put(Shop, { metadata: inMall('b') });
  await running.pass();
  expect(cluster.calls).toEqual(['create configmaps mall/a', 'create configmaps mall/b']);
  cluster.remove(ConfigMap, inMall('a'));
  await running.pass();
  expect(cluster.peek(ConfigMap, inMall('a'))?.metadata.ownerReferences).toMatchObject([
    { kind: 'Shop', name: 'a', controller: true },
  ]);
  await running.stop();
});

test('a change goes before what was there at the start, and namespaces take turns', async () => {
  const cluster = new MemoryCluster();
  for (const name of ['a', 'b', 'c', 'd']) cluster.put(Shop, { metadata: inMall(name) });
  cluster.put(Shop, { metadata: inMall('z', 'street') });
  const owner = {
    apiVersion: 'example.com/v1',
    kind: 'Shop',
    name: 'd',
    uid: 'u',
    controller: true,
  };
  cluster.put(ConfigMap, { metadata: { ...inMall('d'), ownerReferences: [owner] } });
  cluster.put(Secret, { metadata: inMall('d') });
  const seen: string[] = [];
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      owns: [ConfigMap],
      watches: [{ kind: Secret, map: ({ metadata: { name } }) => [inMall(name)] }],
      reconcile: async ({ object }) => {
        seen.push(object.metadata.name);
        return done;
      },
    }),
    { cluster },
  );
  running.ended = running.run.run({ stop: running.stopping.signal, cut: running.cutting.signal });
  for (let count = 0; count < 100 && seen.length === 0; count += 1) await Promise.resolve();
  expect(seen).toEqual(['a']);
  cluster.put(Shop, { metadata: inMall('c') });
  await running.pass();
  expect(seen).toEqual(['a', 'c', 'z', 'b', 'd']);
  await running.stop();
});

test('a change of what is watched leads to the objects that it names, before and after', async () => {
  const seen: string[] = [];
  const running = await new Running(
    controller({
      name: 'shops',
      for: Shop,
      watches: [
        {
          kind: Secret,
          predicate: generationChanged,
          map: ({ spec }) => [inMall(spec?.shop ?? 'none')],
        },
      ],
      reconcile: async ({ object }) => {
        seen.push(object.metadata.name);
        return done;
      },
    }),
  ).start();
  const { cluster } = running;
  for (const name of ['a', 'b', 'c']) cluster.put(Shop, { metadata: inMall(name) });
  await running.pass();
  seen.length = 0;
  cluster.put(Secret, { metadata: inMall('key'), spec: { shop: 'a' } });
  await running.pass();
  expect(seen).toEqual(['a']);
  cluster.put(Secret, { metadata: inMall('key'), spec: { shop: 'b' } });
  await running.pass();
  expect(seen).toEqual(['a', 'a', 'b']);
  cluster.put(Secret, { metadata: { ...inMall('key'), labels: { a: 'b' } }, spec: { shop: 'b' } });
  await running.pass();
  expect(seen).toHaveLength(3);
  cluster.remove(Secret, inMall('key'));
  await running.pass();
  expect(seen).toEqual(['a', 'a', 'b', 'b']);
  await running.stop();
});

test('a predicate withholds changes, but no deletion, no pause and no finalizer that was taken away', async () => {
  const seen: string[] = [];
  const running = await new Running(
    controller({
      name: 'shops',
      for: Shop,
      predicate: generationChanged,
      isPaused: ({ status }) => status?.seen === 13,
      finalizer: {
        name: 'example.com/shops',
        cleanUp: async () => {
          seen.push('clean-up');
          return done;
        },
      },
      reconcile: async ({ object }) => {
        seen.push(object.metadata.name);
        return done;
      },
    }),
  ).start();
  const { cluster } = running;
  const put = async (more: object, metadata: object = {}): Promise<void> => {
    cluster.put(Shop, { metadata: { ...inMall('a'), ...metadata }, ...more });
    await running.pass();
  };
  await put({ spec: { size: 1 } });
  await put({ spec: { size: 2 } });
  expect(seen).toEqual(['a', 'a']);
  await put({ status: { seen: 2 } });
  await put({}, { labels: { app: 'shop' } });
  expect(seen).toEqual(['a', 'a']);
  await put({ status: { seen: 13 } });
  expect(seen).toEqual(['a', 'a']);
  await put({ status: { seen: 14 } });
  expect(seen).toEqual(['a', 'a', 'a']);
  await put({}, { finalizers: [] });
  expect(seen).toHaveLength(4);
  expect(cluster.peek(Shop, inMall('a'))?.metadata.finalizers).toEqual(['example.com/shops']);
  cluster.remove(Shop, inMall('a'));
  await running.pass();
  expect(seen.slice(4)).toEqual(['clean-up']);
  expect(cluster.peek(Shop, inMall('a'))).toBeUndefined();
  await running.stop();
});

test('what fails is logged and comes again after a while that grows, until it succeeds', async () => {
  const times: number[] = [];
  let fails = 4;
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      reconcile: async ({ clock }) => {
        times.push(clock.now());
        if ((fails -= 1) >= 0) throw new Error('the baker is ill');
        return done;
      },
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  await running.pass(10_000);
  expect(times).toEqual([0, 5, 15, 35, 75]);
  const failed = running.lines.filter(({ level }) => level === 'error');
  expect(failed.map(({ failures }) => failures)).toEqual([1, 2, 3, 4]);
  expect(failed[0]).toMatchObject({
    msg: 'the reconcile failed',
    controller: 'shops',
    namespace: 'mall',
    name: 'a',
    reconcileID: expect.stringMatching(/^[0-9a-f]{16}$/),
    error: { message: 'the baker is ill' },
  });
  fails = 1;
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.pass(10);
  expect(times.slice(5).map((time) => time - 10_000)).toEqual([0, 5]);
  await running.stop();
});

test('an outdated write is decided again and no error, and who is too busy is not asked earlier', async () => {
  const outcomes: string[] = [];
  const observer = { ended: (_: string, outcome: string) => void outcomes.push(outcome) };
  const errors = [
    refused(409, 'Conflict'),
    new (class extends Error {
      override name = 'Other';
    })(),
  ];
  const running = new Running(stocking, { observer });
  const { cluster } = running;
  cluster.before = () => {
    const error = errors.shift();
    if (error) throw error;
  };
  cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  await running.pass(1000);
  expect(outcomes).toEqual(['conflict', 'error', 'done', 'done']);
  expect(running.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  const busy = refused(429, 'TooManyRequests');
  errors.push(Object.assign(busy, { retryAfter: 60_000 }));
  cluster.put(Shop, { metadata: inMall('b') });
  await running.pass(59_999);
  expect(cluster.peek(ConfigMap, inMall('b'))).toBeUndefined();
  await running.pass(1);
  expect(cluster.peek(ConfigMap, inMall('b'))).toBeDefined();
  await running.stop();
});

test('an object is looked at again when its reconcile asked for it', async () => {
  const times: number[] = [];
  const outcomes: string[] = [];
  const observer = { ended: (_: string, outcome: string) => void outcomes.push(outcome) };
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      reconcile: async ({ clock }) => {
        times.push(clock.now());
        return times.length < 3 ? requeueAfter(60_000) : done;
      },
    }),
    { observer },
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  await running.pass(3_600_000);
  expect(times).toEqual([0, 60_000, 120_000]);
  expect(outcomes).toEqual(['requeue-after', 'requeue-after', 'done']);
  expect(() => requeueAfter(0)).toThrow('requeueAfter must be milliseconds above 0, got 0');
  expect(() => requeueAfter(Infinity)).toThrow(RangeError);
  await running.stop();
});

test('the finalizer is there before the first reconcile, and goes after a clean-up that succeeded', async () => {
  const said: string[] = [];
  let tries = 0;
  const running = await new Running(
    controller({
      name: 'shops',
      for: Shop,
      finalizer: {
        name: 'example.com/shops',
        cleanUp: async () => {
          tries += 1;
          said.push(`clean-up ${tries}`);
          if (tries === 1) throw new Error('the door is locked');
          return tries === 2 ? requeueAfter(1000) : done;
        },
      },
      reconcile: async ({ object }) => {
        said.push(`reconcile with ${object.metadata.finalizers}`);
        return done;
      },
    }),
  ).start();
  const { cluster } = running;
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: ['other.io/x'] } });
  await running.pass();
  expect(new Set(said)).toEqual(new Set(['reconcile with other.io/x,example.com/shops']));
  said.length = 0;
  cluster.remove(Shop, inMall('a'));
  await running.pass(900);
  expect(said).toEqual(['clean-up 1', 'clean-up 2']);
  expect(cluster.peek(Shop, inMall('a'))?.metadata.finalizers).toContain('example.com/shops');
  await running.pass(1000);
  expect(said).toEqual(['clean-up 1', 'clean-up 2', 'clean-up 3']);
  expect(cluster.peek(Shop, inMall('a'))?.metadata.finalizers).toEqual(['other.io/x']);
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: [] } });
  await running.pass(10_000);
  expect(said).toHaveLength(3);
  await running.stop();
});

test('a finalizer is written over no change that somebody made meanwhile', async () => {
  const cluster = new MemoryCluster();
  const running = await new Running(
    controller({
      name: 'shops',
      for: Shop,
      finalizer: { name: 'example.com/shops', cleanUp: async () => done },
      reconcile: async () => done,
    }),
    { cluster },
  ).start();
  let isFirst = true;
  cluster.before = () => {
    if (isFirst) cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: ['other.io/x'] } });
    isFirst = false;
  };
  cluster.put(Shop, { metadata: inMall('a') });
  await running.pass(100);
  expect(cluster.peek(Shop, inMall('a'))?.metadata.finalizers).toEqual([
    'other.io/x',
    'example.com/shops',
  ]);
  expect(cluster.calls).toEqual([
    'patch shops.example.com mall/a',
    'patch shops.example.com mall/a',
  ]);
  await running.stop();
});

test('an object that goes before its finalizer is written is no error', async () => {
  const outcomes: string[] = [];
  const running = await new Running(
    controller({
      name: 'shops',
      for: Shop,
      finalizer: { name: 'example.com/shops', cleanUp: async () => done },
      reconcile: async () => done,
    }),
    { observer: { ended: (_, outcome) => void outcomes.push(outcome) } },
  ).start();
  const { cluster } = running;
  cluster.before = () => cluster.remove(Shop, inMall('a'));
  cluster.put(Shop, { metadata: inMall('a') });
  await running.pass(1000);
  expect(new Set(outcomes)).toEqual(new Set(['gone']));
  await running.stop();
});

test.each([
  ['tenantry.dev/paused', 'true', true],
  ['tenantry.dev/paused', 'True', true],
  ['tenantry.dev/paused', '', true],
  ['tenantry.dev/paused', 'false', false],
  ['shops.tenantry.dev/paused', 'true', true],
  ['stores.tenantry.dev/paused', 'true', false],
])('an object with %s: %j is left alone: %j', async (annotation, value, isPaused) => {
  const seen: string[] = [];
  const running = await new Running(noting(seen)).start();
  running.cluster.put(Shop, { metadata: { ...inMall('a'), annotations: { [annotation]: value } } });
  await running.pass();
  expect(seen).toEqual(isPaused ? [] : ['a']);
  await running.stop();
});

test('a paused object is neither reconciled nor cleaned up, and that is said once', async () => {
  const told: unknown[] = [];
  const seen: string[] = [];
  const running = await new Running(
    controller({
      name: 'shops',
      for: Shop,
      isPaused: ({ spec }) => spec?.isClosed === true,
      finalizer: {
        name: 'example.com/shops',
        cleanUp: async () => {
          seen.push('clean-up');
          return done;
        },
      },
      reconcile: async () => {
        seen.push('reconcile');
        return done;
      },
    }),
    { observer: { paused: (...args) => void told.push(args) } },
  ).start();
  const { cluster } = running;
  const finalizers = ['example.com/shops'];
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers }, spec: { isClosed: true } });
  await running.pass();
  cluster.put(Shop, { metadata: { ...inMall('a'), labels: { app: 'shop' } } });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  await running.pass(10_000);
  expect(seen).toEqual([]);
  expect(running.said.filter((sentence) => /paused/.test(String(sentence)))).toEqual([
    'the object is paused and left alone',
  ]);
  expect(running.lines.find(({ by }) => by)).toMatchObject({ name: 'a', by: 'a field' });
  cluster.put(Shop, { metadata: inMall('a'), spec: { isClosed: false } });
  await running.pass();
  expect(seen).toEqual(['clean-up']);
  expect(told).toEqual([
    ['shops', 'mall/a', true],
    ['shops', 'mall/a', false],
  ]);
  for (let count = 0; count < 2; count += 1) {
    cluster.put(Shop, { metadata: inMall('b'), spec: { isClosed: true } });
    await running.pass();
    cluster.remove(Shop, inMall('b'));
    await running.pass();
  }
  expect(told.slice(2)).toEqual([
    ['shops', 'mall/b', true],
    ['shops', 'mall/b', false],
    ['shops', 'mall/b', true],
    ['shops', 'mall/b', false],
  ]);
  await running.stop();
});

test('what is being deleted is not reconciled, so that nothing is made again that goes with it', async () => {
  const running = await new Running(stocking).start();
  const { cluster } = running;
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: ['foregroundDeletion'] } });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  cluster.remove(ConfigMap, inMall('a'));
  await running.pass(10_000);
  expect(cluster.calls).toEqual(['create configmaps mall/a']);
  await running.stop();
});

test('a controller hears of objects that went, and of none that never was', async () => {
  const gone: string[] = [];
  const running = await new Running(
    controller({
      name: 'shops',
      for: Shop,
      predicate: () => false,
      watches: [{ kind: Secret, map: () => [inMall('never'), inMall('a')] }],
      reconcile: async () => done,
      onGone: async ({ name }) => void gone.push(`${name.namespace} ${name.name}`),
    }),
  ).start();
  const { cluster } = running;
  cluster.put(Secret, { metadata: inMall('key') });
  cluster.put(Shop, { metadata: inMall('a') });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  await running.pass();
  expect(gone).toEqual(['mall a']);
  cluster.put(Secret, { metadata: inMall('other') });
  await running.pass();
  expect(gone).toEqual(['mall a']);
  await running.stop();
});

test('as many objects are reconciled at a time as declared, and none of them twice', async () => {
  const busy = new Set<string>();
  let most = 0;
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      concurrency: 3,
      reconcile: async ({ object: { metadata }, clock }) => {
        expect(busy).not.toContain(metadata.name);
        busy.add(metadata.name);
        most = Math.max(most, busy.size);
        await clock.sleep(10);
        busy.delete(metadata.name);
        return done;
      },
    }),
  );
  const { cluster } = running;
  for (let n = 0; n < 10; n += 1) cluster.put(Shop, { metadata: inMall(`${n}`) });
  await running.start();
  expect(running.run.inWork).toEqual(
    new Map([
      ['mall/0', 0],
      ['mall/1', 0],
      ['mall/2', 0],
    ]),
  );
  for (let n = 0; n < 10; n += 1) cluster.put(Shop, { metadata: inMall(`${n % 3}`) });
  await running.pass(1000);
  expect(most).toBe(3);
  expect(running.said).not.toContain('the reconcile failed');
  await running.stop();
});

test('what a controller wrote it reads at once, though no watch has told of it', async () => {
  const read: (Live | undefined)[] = [];
  const cluster = new MemoryCluster();
  cluster.put(Shop, { metadata: inMall('a') });
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
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
  await running.stop();
});

test('what a controller deleted it does not read any more, unless it only asked whether it could', async () => {
  const cluster = new MemoryCluster();
  cluster.put(Shop, { metadata: inMall('a') });
  cluster.put(ConfigMap, { metadata: inMall('b') });
  const found: boolean[] = [];
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
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
  await running.stop();
});

test('what a controller deleted and waits for its finalizers, it reads as being deleted', async () => {
  const cluster = new MemoryCluster();
  cluster.put(Shop, { metadata: inMall('a') });
  cluster.put(ConfigMap, { metadata: { ...inMall('b'), finalizers: ['example.com/held'] } });
  const found: boolean[] = [];
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
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
  await running.stop();
});

test('what one controller deleted, other caches of the kind do not hold either', async () => {
  const cluster = new MemoryCluster();
  cluster.put(Shop, { metadata: inMall('a') });
  const { uid } = cluster.put(Secret, { metadata: inMall('key') }).metadata;
  const { cache } = cluster.open(Secret, { selection: {}, isMetadataOnly: false });
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      access: [allow(Secret, 'delete')],
      reconcile: async ({ client }) => {
        await client.delete(Secret, inMall('key'), { preconditions: { uid } });
        return done;
      },
    }),
    { cluster },
  );
  cluster.isSilent = true;
  expect(cache.get(inMall('key'))).toBeDefined();
  await running.start();
  expect(cache.get(inMall('key'))).toBeUndefined();
  await running.stop();
});

test('the answer of a subresource that is another kind is not taken for the object', async () => {
  const cluster = new MemoryCluster();
  cluster.put(Shop, { metadata: inMall('a'), spec: { size: 1 } });
  const sizes: unknown[] = [];
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      access: [
        allow(Shop, 'patch').subresource('scale'),
        allow(Shop, 'patch').subresource('status'),
      ],
      reconcile: async ({ client, cache }) => {
        const patch = { spec: { size: 2 } };
        await client.patch(Shop, inMall('a'), patch, { subresource: 'scale' });
        sizes.push(cache.get(Shop, inMall('a'))?.spec?.size);
        await client.patch(Shop, inMall('a'), patch, { subresource: 'status' });
        sizes.push(cache.get(Shop, inMall('a'))?.spec?.size);
        return done;
      },
    }),
    { cluster },
  );
  cluster.isSilent = true;
  await running.start();
  expect(sizes).toEqual([1, 2]);
  await running.stop();
});

test('an owner in a namespace makes nothing outside of namespaces, whatever the declaration hides', async () => {
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      access: [allow(Country, 'create'), allow(Namespace, 'create')],
      reconcile: async ({ object, client, owned }) => {
        const { name, ownerReferences = [] } = owned({ metadata: { name: 'all' } }).metadata as {
          name: string;
          ownerReferences?: [];
        };
        await client.create(Country, { metadata: { name: object.metadata.name } });
        await client.create(Namespace, { metadata: { name, ownerReferences } });
        return done;
      },
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  expect(running.cluster.calls).toEqual(['create countrys.example.com a']);
  expect(running.lines.at(-1)).toMatchObject({
    error: {
      message:
        'Shop, which lies in namespaces, must own kinds that do, got Namespace all: the garbage collector would delete it',
    },
  });
  await running.stop();
});

test('a controller that is to stop finishes what it began, and begins nothing', async () => {
  const said: string[] = [];
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      access: [allow(ConfigMap, 'create')],
      reconcile: async ({ object, client, clock, signal }) => {
        said.push(`began ${object.metadata.name}`);
        await clock.sleep(1000, signal).catch(() => said.push('hurries'));
        await client.create(ConfigMap, { metadata: inMall('a') });
        said.push('wrote');
        return requeueAfter(1);
      },
    }),
  );
  const { cluster } = running;
  for (const name of ['a', 'b']) cluster.put(Shop, { metadata: inMall(name) });
  await running.start();
  await running.stop();
  cluster.put(Shop, { metadata: inMall('c') });
  await running.pass(10_000);
  expect(said).toEqual(['began a', 'hurries', 'wrote']);
  expect(running.said.at(-1)).toBe('the controller has stopped');
  expect(running.clock.waiting).toBe(0);
  expect(cluster.closed).toBe(1);
});

test('who waits on the signal is stopped and has not failed, and a stopped controller hears nothing', async () => {
  const outcomes: string[] = [];
  let asked = 0;
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      predicate: () => {
        asked += 1;
        return true;
      },
      reconcile: async ({ clock, signal }) => {
        await clock.sleep(1e9, signal);
        return done;
      },
    }),
    { observer: { ended: (_, outcome) => void outcomes.push(outcome) } },
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  await running.stop();
  expect(outcomes).toEqual(['aborted']);
  expect(running.said).not.toContain('the reconcile failed');
  running.cluster.put(Shop, { metadata: inMall('b') });
  await running.pass();
  expect(asked).toBe(1);
});

test('once a controller may not write any more, no call is begun and those under way end', async () => {
  const outcomes: string[] = [];
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      concurrency: 2,
      access: [allow(ConfigMap, 'create')],
      reconcile: async ({ object, client, clock }) => {
        const options = { signal: new AbortController().signal };
        if (object.metadata.name === 'a') await clock.sleep(1000);
        else await client.get(Shop, inMall('b'), options);
        await client.create(ConfigMap, { metadata: inMall(object.metadata.name) });
        return done;
      },
    }),
    { observer: { ended: (_, outcome) => void outcomes.push(outcome) } },
  );
  const { cluster } = running;
  cluster.before = () =>
    new Promise((_, reject) => {
      const signal = cluster.options.at(-1)?.signal;
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  for (const name of ['a', 'b']) cluster.put(Shop, { metadata: inMall(name) });
  await running.start();
  running.cutting.abort(new Error('the lease is lost'));
  await running.pass(1000);
  await running.stop();
  expect(cluster.calls).toEqual(['get shops.example.com mall/b']);
  expect(outcomes).toEqual(['aborted', 'aborted']);
  expect(running.said).not.toContain('the reconcile failed');
});

test('a controller that runs again begins with all that there is', async () => {
  const seen: string[] = [];
  const running = new Running(noting(seen));
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  running.stopping.abort();
  await running.ended;
  const stop = new AbortController();
  const again = running.run.run({ stop: stop.signal, cut: running.cutting.signal });
  await running.pass();
  expect(seen).toEqual(['a', 'a']);
  stop.abort();
  await again;
});

test('a controller begins when its caches are synced, and can be stopped before', async () => {
  for (const isStopped of [false, true]) {
    const cluster = new MemoryCluster();
    let sync = (): void => {};
    cluster.syncing.set('shops.example.com', new Promise((resolve) => (sync = resolve)));
    cluster.put(Shop, { metadata: inMall('a') });
    const seen: string[] = [];
    const running = await new Running(noting(seen), { cluster }).start();
    await running.pass(100_000);
    expect(seen).toEqual([]);
    if (isStopped) await running.stop();
    sync();
    await running.pass();
    expect(seen).toEqual(isStopped ? [] : ['a']);
    await running.stop();
  }
});

test('a predicate or mapping that throws is told, and hides no other object', async () => {
  const failures: unknown[] = [];
  const seen: string[] = [];
  const running = await new Running(
    controller({
      name: 'shops',
      for: Shop,
      predicate: ({ object }) => {
        if (object.metadata.name === 'bad') throw new Error('no predicate');
        return true;
      },
      watches: [
        {
          kind: Secret,
          map: ({ metadata: { name } }) => {
            if (name === 'bad') throw new Error('no mapping');
            return name === 'lost' ? [{ name: 'a' }] : [inMall('a')];
          },
        },
      ],
      reconcile: async ({ object }) => {
        seen.push(object.metadata.name);
        return done;
      },
    }),
    { observer: { handlerFailed: (_, error) => void failures.push(String(error)) } },
  ).start();
  const { cluster } = running;
  for (const name of ['bad', 'a']) cluster.put(Shop, { metadata: inMall(name) });
  for (const name of ['bad', 'lost']) cluster.put(Secret, { metadata: inMall(name) });
  await running.pass();
  expect(seen).toEqual(['bad', 'a']);
  cluster.put(Secret, { metadata: inMall('good') });
  await running.pass();
  expect(seen).toEqual(['bad', 'a', 'a']);
  expect(failures).toEqual([
    'Error: no predicate',
    'Error: no mapping',
    'Error: shops: map must name a Shop with a namespace, got a',
  ]);
  expect(running.said.filter((one) => one === 'a predicate or mapping failed')).toHaveLength(3);
  await running.stop();
});

test('what an object controls is indexed before there is anything to go through', async () => {
  const found: string[] = [];
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      owns: [ConfigMap],
      reconcile: async ({ object, children }) => {
        found.push(
          object.metadata.name,
          ...children(ConfigMap).map(({ metadata: { name } }) => name),
        );
        return done;
      },
    }),
  );
  const { cluster } = running;
  const { uid } = cluster.put(Shop, { metadata: inMall('a') }).metadata;
  const owner = { apiVersion: 'example.com/v1', kind: 'Shop', name: 'a', uid, controller: true };
  for (const [name, ownerReferences] of Object.entries({ b: [owner], c: [] })) {
    cluster.put(ConfigMap, { metadata: { ...inMall(name), ownerReferences } });
  }
  await running.start();
  expect(found).toEqual(['a', 'b']);
  expect(cluster.cachesOf(ConfigMap).map(({ indexedAt }) => indexedAt)).toEqual([[0]]);
  await running.stop();
});

test('what is watched is opened once a kind, in the namespace of the controller', () => {
  const cluster = new MemoryCluster();
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      selection: { namespace: 'mall' },
      owns: [ConfigMap],
      watches: [
        { kind: Shop, selection: { namespace: 'mall' }, map: () => [] },
        { kind: metadataOf(Secret), map: () => [] },
      ],
      reconcile: async () => done,
    }),
    { cluster },
  );
  const selection = { namespace: 'mall' };
  expect(cluster.wishes).toEqual([
    { resource: 'shops.example.com', selection, isMetadataOnly: false },
    { resource: 'configmaps', selection, isMetadataOnly: false },
    { resource: 'secrets', selection: {}, isMetadataOnly: true },
  ]);
  running.run.close();
  expect(cluster.closed).toBe(3);
});

test('to read a kind that nobody watches is a mistake of the program', async () => {
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      reconcile: async ({ cache }) => {
        // @ts-expect-error nobody watches it
        cache.get(Secret, inMall('a'));
        return done;
      },
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  expect(running.lines.at(-1)).toMatchObject({
    error: {
      message: 'shops must watch secrets to read it from a cache: add it to owns or watches',
    },
  });
  await running.stop();
});

test('what no access allows is refused before it leaves, and the line that allows it is named', async () => {
  const running = new Running(
    controller({
      name: 'shops',
      for: Shop,
      access: [allow(ConfigMap, 'create').in('mall')],
      reconcile: async ({ object, client }) => {
        const { name, namespace } = object.metadata;
        await client.create(ConfigMap, { metadata: inMall(name, namespace) });
        // @ts-expect-error nothing allows it
        await client.delete(ConfigMap, { name, namespace });
        return done;
      },
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  running.cluster.put(Shop, { metadata: inMall('b', 'street') });
  await running.start();
  expect(running.cluster.calls).toEqual(['create configmaps mall/a']);
  const failed = running.lines.filter(({ level }) => level === 'error');
  expect(failed).toMatchObject([
    {
      error: {
        message:
          "controller shops may not delete configmaps: its access must have allow(ConfigMap, 'delete').in('mall')",
      },
    },
    {
      error: {
        message:
          "controller shops may not create configmaps: its access must have allow(ConfigMap, 'create').in('street')",
      },
    },
  ]);
  await running.stop();
});
