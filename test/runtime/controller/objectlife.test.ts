import { expect, test } from '@jest/globals';
import { controller } from '../../../runtime/controller/controller.ts';
import { done, requeueAfter } from '../../../runtime/controller/result.ts';
import { MemoryCluster } from './memorycluster.ts';
import { ConfigMap, inMall, Running, Secret, Shop, shops, stocking } from './running.ts';

test('the finalizer is there before the first reconcile, and goes after a clean-up that succeeded', async () => {
  const said: string[] = [];
  let tries = 0;
  await using running = await new Running(
    controller({
      ...shops,
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
});

test('a finalizer is written over no change that somebody made meanwhile', async () => {
  const cluster = new MemoryCluster();
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

test('an object that goes before its finalizer is written is no error', async () => {
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

test('what is being deleted is not reconciled, so that nothing is made again that goes with it', async () => {
  await using running = await new Running(stocking).start();
  const { cluster } = running;
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers: ['foregroundDeletion'] } });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  cluster.remove(ConfigMap, inMall('a'));
  await running.pass(10_000);
  expect(cluster.calls).toEqual(['create configmaps mall/a']);
});

test('a controller hears of objects that went, and of none that never was', async () => {
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
