import { expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { metadataOf, projectionOf } from '../../kinds/kind.ts';
import { done, requeueAfter } from '../../controller/context.ts';

import { ConfigMap, inMall, Running, Secret, Shop, shops, stocking, town } from './running.ts';

test('the finalizer is set before the first reconcile, and removed after a successful clean-up', async () => {
  const steps: string[] = [];
  let tries = 0;
  await using running = await new Running(
    controller({
      ...shops,
      finalizer: {
        name: 'example.com/shops',
        cleanUp: async () => {
          tries += 1;
          steps.push(`clean-up ${tries}`);
          if (tries === 1) throw new Error('the door is locked');
          return tries === 2 ? requeueAfter(1000) : done;
        },
      },
      reconcile: async ({ object }) => {
        steps.push(`reconcile with ${object.metadata.finalizers}`);
        return done;
      },
    }),
  ).start();
  const { cluster } = running;
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: ['other.io/x'] } });
  await running.pass();
  expect(new Set(steps)).toEqual(new Set(['reconcile with other.io/x,example.com/shops']));
  steps.length = 0;
  cluster.remove(Shop, inMall('a'));
  await running.pass(900);
  expect(steps).toEqual(['clean-up 1', 'clean-up 2']);
  expect(cluster.peek(Shop, inMall('a'))?.metadata.finalizers).toContain('example.com/shops');
  await running.pass(1000);
  expect(steps).toEqual(['clean-up 1', 'clean-up 2', 'clean-up 3']);
  expect(cluster.peek(Shop, inMall('a'))?.metadata.finalizers).toEqual(['other.io/x']);
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: [] } });
  await running.pass(10_000);
  expect(steps).toHaveLength(3);
});

test('only objects that need the finalizer have it, and it is removed once it is no longer needed', async () => {
  const cleaned: string[] = [];
  await using running = await new Running(
    controller({
      ...shops,
      finalizer: {
        name: 'example.com/shops',
        isNeeded: ({ object }) => object.metadata.labels?.['leased'] === 'yes',
        cleanUp: async ({ object }) => {
          cleaned.push(object.metadata.name);
          return done;
        },
      },
      reconcile: async () => done,
    }),
  ).start();
  const { cluster } = running;
  const others = { finalizers: ['other.io/x'] };
  const of = (name: string) => cluster.peek(Shop, inMall(name))?.metadata.finalizers;
  cluster.put(Shop, { metadata: { ...inMall('a'), ...others, labels: { leased: 'yes' } } });
  cluster.put(Shop, { metadata: { ...inMall('b'), ...others } });
  await running.pass();
  expect(of('a')).toEqual(['other.io/x', 'example.com/shops']);
  expect(cluster.calls).toEqual(['patch shops.example.com mall/a']);
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: of('a'), labels: {} } });
  await running.pass();
  expect(of('a')).toEqual(['other.io/x']);
  cluster.remove(Shop, inMall('a'));
  cluster.remove(Shop, inMall('b'));
  await running.pass();
  expect(cleaned).toEqual([]);
});

test('the controller is notified of a deleted object that others keep, but not while its own finalizer keeps it', async () => {
  const steps: string[] = [];
  await using running = await new Running(
    controller({
      ...shops,
      finalizer: {
        name: 'example.com/shops',
        cleanUp: async () => (steps.push('clean-up') === 1 ? requeueAfter(1000) : done),
      },
      reconcile: async () => done,
      waiting: async ({ object }) => {
        steps.push(`waits for ${object.metadata.finalizers}`);
        return done;
      },
    }),
  ).start();
  const { cluster } = running;
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: ['other.io/x'] } });
  cluster.put(Shop, { metadata: { ...inMall('b') } });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  await running.pass(900);
  expect(steps).toEqual(['clean-up']);
  await running.pass(1000);
  expect(steps).toEqual(['clean-up', 'clean-up', 'waits for other.io/x']);
  cluster.remove(Shop, inMall('b'));
  await running.pass(10_000);
  expect(steps.slice(3)).toEqual(['clean-up']);
});

test('writing a finalizer overwrites no concurrent change', async () => {
  const cluster = town();
  await using running = await new Running(
    controller({
      ...shops,
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
});

test('it is no error if an object is deleted before its finalizer is written', async () => {
  await using running = await new Running(
    controller({
      ...shops,
      finalizer: { name: 'example.com/shops', cleanUp: async () => done },
      reconcile: async () => done,
    }),
  ).start();
  const { cluster } = running;
  cluster.before = () => cluster.remove(Shop, inMall('a'));
  cluster.put(Shop, { metadata: inMall('a') });
  await running.pass(1000);
  expect(new Set(running.outcomes)).toEqual(new Set(['gone']));
});

test('an object that leaves the selection with its finalizer is logged, and one that was cleaned up is not', async () => {
  await using running = await new Running(
    controller({
      ...shops,
      selection: { labelSelector: 'open' },
      finalizer: { name: 'example.com/shops', cleanUp: async () => done },
      reconcile: async () => done,
    }),
  ).start();
  const { cluster } = running;
  const out = 'the object is no longer selected, and its finalizer stays on it';
  cluster.put(Shop, { metadata: { ...inMall('a'), labels: { open: '' } } });
  cluster.put(Shop, { metadata: { ...inMall('b'), labels: { open: '' } } });
  await running.pass(100);
  cluster.remove(Shop, inMall('b'));
  await running.pass(100);
  expect(cluster.peek(Shop, inMall('b'))).toBeUndefined();
  expect(running.messages).not.toContain(out);
  cluster.put(Shop, { metadata: { ...inMall('a'), labels: {} } });
  await running.pass(100);
  const line = running.lines.find(({ msg }) => msg === out);
  expect(line).toMatchObject({ level: 'warn', name: 'a', finalizer: 'example.com/shops' });
});

test('an object that is being deleted is not reconciled, so that none of its children is created again', async () => {
  await using running = await new Running(stocking).start();
  const { cluster } = running;
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: ['foregroundDeletion'] } });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  cluster.remove(ConfigMap, inMall('a'));
  await running.pass(10_000);
  expect(cluster.calls).toEqual(['create configmaps mall/a']);
});

test('a controller is notified of deleted objects, and not of objects that never existed', async () => {
  const gone: string[] = [];
  await using running = await new Running(
    controller({
      ...shops,
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
});

test('a new object under an old name is reconciled only after the state of the old one is released', async () => {
  const steps: string[] = [];
  let fails = 1;
  await using running = await new Running(
    controller({
      ...shops,
      reconcile: async ({ object, clock }) => {
        steps.push(`reconcile ${object.metadata.uid}`);
        await clock.sleep(100);
        return done;
      },
      onGone: async ({ name }) => {
        steps.push(`gone ${name.name}`);
        if ((fails -= 1) >= 0) throw new Error('the drawer is stuck');
      },
    }),
  ).start();
  const { cluster } = running;
  const before = cluster.put(Shop, { metadata: inMall('a') });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  const after = cluster.put(Shop, { metadata: inMall('a') });
  await running.pass(10_000);
  expect(steps).toEqual([
    `reconcile ${before.metadata.uid}`,
    'gone a',
    'gone a',
    `reconcile ${after.metadata.uid}`,
  ]);
});

test('a clean-up that writes a status is not repeated, and one of an outdated spec is', async () => {
  const sizes: unknown[] = [];
  await using running = await new Running(
    controller({
      ...shops,
      access: [allow(Shop, 'patch').subresource('status')],
      finalizer: {
        name: 'example.com/shops',
        cleanUp: async ({ object, client, clock }) => {
          sizes.push(object.spec?.size);
          const status = { seen: (object.status?.seen ?? 0) + 1 };
          const name = inMall(object.metadata.name);
          await client.patch(Shop, name, { status }, { subresource: 'status' });
          if (object.spec?.size === 1) cluster.put(Shop, { metadata: name, spec: { size: 2 } });
          await clock.sleep(1);
          return done;
        },
      },
      reconcile: async () => done,
    }),
  ).start();
  const { cluster } = running;
  cluster.put(Shop, { metadata: inMall('a'), spec: { size: 5 } });
  cluster.put(Shop, { metadata: inMall('b'), spec: { size: 1 } });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  await running.pass(10_000);
  expect(sizes).toEqual([5]);
  expect(cluster.peek(Shop, inMall('a'))).toBeUndefined();
  cluster.remove(Shop, inMall('b'));
  await running.pass(10_000);
  expect(sizes).toEqual([5, 1, 2]);
  expect(cluster.peek(Shop, inMall('b'))).toBeUndefined();
});

test('a clean-up does not release a new object that was created under the same name meanwhile', async () => {
  const finalizers = ['example.com/shops'];
  await using running = await new Running(
    controller({
      ...shops,
      finalizer: {
        name: 'example.com/shops',
        cleanUp: async () => {
          cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: [] } });
          cluster.put(Shop, { metadata: { ...inMall('a'), finalizers } });
          return done;
        },
      },
      reconcile: async () => done,
    }),
  ).start();
  const { cluster } = running;
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers } });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  await running.pass(10_000);
  expect(cluster.peek(Shop, inMall('a'))?.metadata.finalizers).toEqual(finalizers);
  // The only call is the patch that comes too late; nothing restores the finalizer.
  expect(cluster.calls).toEqual(['patch shops.example.com mall/a']);
});

test('for a kind without generations, any change during a clean-up repeats it', async () => {
  const sizes: unknown[] = [];
  await using running = await new Running(
    controller({
      name: 'secrets',
      for: Secret,
      finalizer: {
        name: 'example.com/secrets',
        cleanUp: async ({ object }) => {
          sizes.push(object.data?.['size']);
          const changed = { metadata: inMall('a'), data: { size: 'Mg==' } };
          if (sizes.length === 1) running.cluster.put(Secret, changed);
          return done;
        },
      },
      reconcile: async () => done,
    }),
  ).start();
  const { cluster } = running;
  cluster.put(Secret, { metadata: inMall('a'), data: { size: 'MQ==' } });
  await running.pass();
  cluster.remove(Secret, inMall('a'));
  await running.pass(10_000);
  expect(sizes).toEqual(['MQ==', 'Mg==']);
  expect(cluster.peek(Secret, inMall('a'))).toBeUndefined();
});

test('removing the finalizer during a clean-up ends it without an error', async () => {
  await using running = await new Running(
    controller({
      ...shops,
      finalizer: {
        name: 'example.com/shops',
        cleanUp: async () => {
          cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: ['other.io/x'] } });
          return done;
        },
      },
      reconcile: async () => done,
    }),
  ).start();
  const { cluster } = running;
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: ['other.io/x'] } });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  await running.pass(10_000);
  expect(running.errors).toEqual([]);
  expect(cluster.peek(Shop, inMall('a'))?.metadata.finalizers).toEqual(['other.io/x']);
});

test.each([
  ['a projection', projectionOf(Shop, ({ spec }) => ({ size: spec?.size ?? 0 }))],
  ['metadata', metadataOf(Shop)],
])('with %s the first reconcile gets no more fields than later ones', async (_, kind) => {
  const fields: string[][] = [];
  await using running = await new Running(
    controller({
      name: 'shops',
      for: kind,
      finalizer: { name: 'example.com/shops', cleanUp: async () => done },
      reconcile: async ({ object }) => {
        fields.push(Object.keys(object).toSorted());
        return done;
      },
    }),
  ).start();
  const { cluster } = running;
  cluster.put(Shop, { metadata: inMall('a'), spec: { size: 1 } });
  await running.pass();
  cluster.put(Shop, { metadata: inMall('a'), spec: { size: 2 } });
  await running.pass();
  expect(fields.length).toBeGreaterThan(1);
  expect(fields).toEqual(fields.map(() => fields.at(-1)));
});

test('a finalizer that does not stay is reported, and the object is not reconciled', async () => {
  const cluster = town();
  // A webhook reverts every patch, so that nothing changes.
  cluster.serve = (call, ask) =>
    call.startsWith('patch') ? (cluster.api.get(Shop, inMall('a')) as never) : ask();
  await using running = new Running(
    controller({
      ...shops,
      finalizer: { name: 'example.com/shops', cleanUp: async () => done },
      reconcile: () => Promise.reject(new Error('it has no finalizer')),
    }),
    { cluster },
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  await running.pass(10);
  expect(running.errors.map(({ error }) => error)).toMatchObject([
    {
      message:
        'the finalizer example.com/shops must stay on Shop mall/a, but something takes it away as it is written: a webhook?',
    },
    {},
  ]);
});

test('a finalizer that is restored when it is no longer needed is reported, and not removed again and again', async () => {
  const cluster = town();
  cluster.serve = (call, ask) =>
    call.startsWith('patch') ? (cluster.api.get(Shop, inMall('a')) as never) : ask();
  await using running = new Running(
    controller({
      ...shops,
      finalizer: {
        name: 'example.com/shops',
        isNeeded: () => false,
        cleanUp: async () => done,
      },
      reconcile: () => Promise.reject(new Error('it has a finalizer')),
    }),
    { cluster },
  );
  running.cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: ['example.com/shops'] } });
  await running.start();
  await running.pass(10);
  expect(running.errors.map(({ error }) => error)).toMatchObject([
    { message: expect.stringContaining('must go from Shop mall/a, but something puts it back') },
    {},
  ]);
});
