import { expect, test } from '@jest/globals';
import { controller } from '../../controller/controller.ts';
import { done, requeueAfter } from '../../controller/context.ts';
import { ApiError } from '../../errors/api-error.ts';
import { refused } from '../observed-cluster.ts';
import {
  ConfigMap,
  inMall,
  noting,
  Running,
  Secret,
  Shop,
  shops,
  stocking,
  town,
} from './running.ts';

test('children are created for existing and new objects, and created again after a deletion', async () => {
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a') });
  await using running = await new Running(stocking, { cluster }).start();
  cluster.put(Shop, { metadata: inMall('b') });
  await running.pass();
  expect(cluster.calls).toEqual(['create configmaps mall/a', 'create configmaps mall/b']);
  cluster.remove(ConfigMap, inMall('a'));
  await running.pass();
  expect(cluster.peek(ConfigMap, inMall('a'))?.metadata.ownerReferences).toMatchObject([
    { kind: 'Shop', name: 'a', controller: true },
  ]);
});

test('a change goes before the initial objects, and namespaces take turns', async () => {
  const cluster = town();
  const first = Promise.withResolvers<void>();
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
  await using running = new Running(
    controller({
      ...shops,
      owns: [ConfigMap],
      watches: [{ kind: Secret, map: ({ metadata: { name } }) => [inMall(name)] }],
      reconcile: async ({ object }) => {
        seen.push(object.metadata.name);
        await first.promise;
        return done;
      },
    }),
    { cluster },
  );
  await running.start();
  expect(seen).toEqual(['a']);
  cluster.touch(Shop, inMall('c'));
  cluster.touch(Secret, inMall('d'));
  await running.pass();
  first.resolve();
  await running.pass();
  expect(seen).toEqual(['a', 'c', 'd', 'z', 'b']);
});

test('a failure is logged and retried with growing delays until it succeeds', async () => {
  const times: number[] = [];
  let fails = 4;
  await using running = new Running(
    controller({
      ...shops,
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
  const failed = running.errors;
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
  running.cluster.touch(Shop, inMall('a'));
  await running.pass(10);
  expect(times.slice(5).map((time) => time - 10_000)).toEqual([0, 5]);
});

test('an outdated write is reconciled again without an error, and a busy server is not called earlier', async () => {
  const errors = [
    refused(409, 'Conflict'),
    new (class extends Error {
      override name = 'Other';
    })(),
  ];
  await using running = new Running(stocking);
  const { cluster } = running;
  cluster.before = () => {
    const error = errors.shift();
    if (error) throw error;
  };
  cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  await running.pass(1000);
  expect(running.outcomes).toEqual(['conflict', 'error', 'done', 'done']);
  expect(running.errors).toHaveLength(1);
  const busy = refused(429, 'TooManyRequests');
  errors.push(Object.assign(busy, { retryAfter: 60_000 }));
  cluster.put(Shop, { metadata: inMall('b') });
  await running.pass(59_999);
  expect(cluster.peek(ConfigMap, inMall('b'))).toBeUndefined();
  await running.pass(1);
  expect(cluster.peek(ConfigMap, inMall('b'))).toBeDefined();
});

test.each([
  ['an outdated write', refused(409, 'Conflict'), 'conflict'],
  ['a name that is taken', refused(409, 'AlreadyExists'), 'error'],
  ['an object that is not there', refused(404, 'NotFound'), 'error'],
  [
    'fields of others',
    new ApiError({
      code: 409,
      reason: 'Conflict',
      details: { causes: [{ reason: 'FieldManagerConflict' }] },
    }),
    'error',
  ],
])('the outcome of %s is what can be done about it: %#', async (_, thrown, outcome) => {
  await using running = new Running(
    controller({ ...shops, reconcile: () => Promise.reject(thrown) }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  expect(running.outcomes[0]).toBe(outcome);
});

test('requeued objects take turns by namespace as well', async () => {
  const seen: string[] = [];
  const after = new Map([
    ['a', 1000],
    ['b', 1001],
    ['c', 1002],
    ['z', 1003],
  ]);
  await using running = new Running(
    controller({
      ...shops,
      reconcile: async ({ object, clock }) => {
        const { name } = object.metadata;
        if (seen.includes(name)) await clock.sleep(100);
        seen.push(name);
        return seen.length > 4 ? done : requeueAfter(after.get(name)!);
      },
    }),
  );
  const { cluster } = running;
  for (const name of ['a', 'b', 'c']) cluster.put(Shop, { metadata: inMall(name) });
  cluster.put(Shop, { metadata: inMall('z', 'street') });
  await running.start();
  await running.pass(2000);
  expect(seen.slice(4)).toEqual(['a', 'b', 'z', 'c']);
});

test('an object is reconciled again after the delay that its reconcile returned', async () => {
  const times: number[] = [];
  await using running = new Running(
    controller({
      ...shops,
      reconcile: async ({ clock }) => {
        times.push(clock.now());
        return times.length < 3 ? requeueAfter(60_000) : done;
      },
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  await running.pass(3_600_000);
  expect(times).toEqual([0, 60_000, 120_000]);
  expect(running.outcomes).toEqual(['requeue-after', 'requeue-after', 'done']);
  expect(() => requeueAfter(0)).toThrow('requeueAfter must be milliseconds above 0, got 0');
  expect(() => requeueAfter(Infinity)).toThrow(RangeError);
});

test('as many objects are reconciled at once as declared, and none of them twice', async () => {
  const busy = new Set<string>();
  let most = 0;
  await using running = new Running(
    controller({
      ...shops,
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
  for (let n = 0; n < 10; n += 1) cluster.touch(Shop, inMall(`${n % 3}`));
  await running.pass(1000);
  expect(most).toBe(3);
  expect(running.messages).not.toContain('the reconcile failed');
});

test('a controller that runs again starts with all existing objects', async () => {
  const seen: string[] = [];
  const running = new Running(controller({ ...shops, reconcile: noting(seen) }));
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

test.each([0, -1, NaN, Infinity])(
  'requeueing after %d ms is an error, which is logged without a busy loop',
  async (after) => {
    await using running = new Running(
      controller({ ...shops, reconcile: async () => ({ requeueAfter: after }) }),
    );
    running.cluster.put(Shop, { metadata: inMall('a') });
    await running.start();
    await running.pass(4);
    expect(running.outcomes).toEqual(['error']);
    expect(running.errors[0]).toMatchObject({
      error: { message: `requeueAfter must be milliseconds above 0, got ${after}` },
    });
  },
);
