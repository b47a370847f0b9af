import { expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { done, requeueAfter } from '../../controller/context.ts';

import { ConfigMap, inMall, noting, Running, Shop, shops, town } from './running.ts';

test('a controller that is stopping finishes its reconciles, and starts no new one', async () => {
  const steps: string[] = [];
  const running = new Running(
    controller({
      ...shops,
      access: [allow(ConfigMap, 'create')],
      reconcile: async ({ object, client, clock, signal }) => {
        steps.push(`began ${object.metadata.name}`);
        await clock.sleep(1000, signal).catch(() => steps.push('hurries'));
        await client.create(ConfigMap, { metadata: inMall('a') });
        steps.push('wrote');
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
  expect(steps).toEqual(['began a', 'hurries', 'wrote']);
  expect(running.messages.at(-1)).toBe('the controller has stopped');
  expect(running.clock.waiting).toBe(0);
  expect(cluster.watched.size).toBe(0);
});

test('a reconcile that waits on the signal is stopped without a failure, and a stopped controller gets no events', async () => {
  let asked = 0;
  const running = new Running(
    controller({
      ...shops,
      predicate: () => {
        asked += 1;
        return true;
      },
      reconcile: async ({ clock, signal }) => {
        await clock.sleep(1e9, signal);
        return done;
      },
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  await running.stop();
  expect(running.outcomes).toEqual(['aborted']);
  expect(running.messages).not.toContain('the reconcile failed');
  running.cluster.put(Shop, { metadata: inMall('b') });
  await running.pass();
  expect(asked).toBe(1);
});

test('once a controller may no longer write, no call starts and running calls end', async () => {
  const running = new Running(
    controller({
      ...shops,
      concurrency: 2,
      access: [allow(ConfigMap, 'create'), allow(Shop, 'get')],
      reconcile: async ({ object, client, clock }) => {
        const options = { signal: new AbortController().signal };
        if (object.metadata.name === 'a') await clock.sleep(1000);
        else await client.get(Shop, inMall('b'), options);
        await client.create(ConfigMap, { metadata: inMall(object.metadata.name) });
        return done;
      },
    }),
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
  expect(running.outcomes).toEqual(['aborted', 'aborted']);
  expect(running.messages).not.toContain('the reconcile failed');
});

test('a controller starts when its caches are synced, and can be stopped before that', async () => {
  for (const isStopped of [false, true]) {
    const cluster = town();
    let sync = (): void => {};
    cluster.beforeRead = () => new Promise((resolve) => (sync = resolve));
    cluster.put(Shop, { metadata: inMall('a') });
    const seen: string[] = [];
    const running = await new Running(controller({ ...shops, reconcile: noting(seen) }), {
      cluster,
    }).start();
    await running.pass(100_000);
    expect(seen).toEqual([]);
    if (isStopped) await running.stop();
    sync();
    await running.pass();
    expect(seen).toEqual(isStopped ? [] : ['a']);
    await running.stop();
  }
});
