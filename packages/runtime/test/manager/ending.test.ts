import { expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { inMall, Secret, Shop } from '../controller/running.ts';
import { idle, Managed, noting } from './managed.ts';

test('a write that takes too long is cut off before the timeout, and what hangs is named', async () => {
  const writing = controller({
    name: 'writing',
    for: Shop,
    access: [allow(Shop, 'patch')],
    reconcile: async ({ clock, client, object }) => {
      for (;;) {
        await clock.sleep(1000);
        await client.patch(Shop, object.metadata, { status: {} });
      }
    },
  });
  const hanging = controller({
    name: 'hanging',
    for: Secret,
    reconcile: () => new Promise(() => {}),
  });
  const steps: string[] = [];
  const server = { name: 'server', run: () => new Promise<void>(() => {}) };
  const managed = new Managed({
    controllers: [writing, hanging],
    runnables: [{ ...server, needsLeadership: true }, noting(steps, 'metrics')],
    gracefulStop: 10_000,
  });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  managed.cluster.put(Secret, { metadata: inMall('b') });
  await managed.start();
  await managed.stop();
  await managed.pass(9500);
  const { length } = managed.cluster.calls;
  expect(length).toBeGreaterThanOrEqual(8);
  expect(managed.ended).toBeUndefined();
  await managed.pass(500);
  expect(managed.cluster.calls).toHaveLength(length);
  expect(managed.ended).toEqual(
    new Error(
      'everything must end within 10 s, but these still run: leader election; controller hanging (mall/b for 10 s); runnable server',
    ),
  );
  expect(steps).toEqual(['metrics begins', 'metrics ends']);
  expect(managed.clock.waiting).toBe(0);
});

test('an error of a runnable ends everything, and the manager with it', async () => {
  const steps: string[] = [];
  const failure = new Error('port 8080 is taken');
  const managed = new Managed({
    controllers: [idle],
    runnables: [
      noting(steps, 'metrics'),
      {
        name: 'webhooks',
        run: async () => {
          await managed.clock.sleep(1000);
          throw failure;
        },
      },
      {
        name: 'late',
        run: async (signal) => {
          await managed.clock.sleep(1e9, signal).catch(() => undefined);
          throw new Error('another error');
        },
      },
    ],
  });
  await managed.start();
  await managed.pass(900);
  expect(managed.ended).toBeUndefined();
  await managed.pass(100);
  expect(steps).toEqual(['metrics begins', 'metrics ends']);
  expect(managed.ended).toBe(failure);
  const errors = managed.errors;
  expect(errors).toMatchObject([
    { task: 'runnable webhooks', error: { message: 'port 8080 is taken' } },
    { task: 'runnable late', error: { message: 'another error' } },
  ]);
});

test('an error takes precedence over the report that something hangs because of it', async () => {
  const failure = new Error('port 8080 is taken');
  const managed = await new Managed({
    runnables: [
      { name: 'hanging', run: () => new Promise(() => {}) },
      { name: 'webhooks', run: () => Promise.reject(failure) },
    ],
  }).start();
  expect(managed.ended).toBeUndefined();
  await managed.pass(30_000);
  expect(managed.ended).toBe(failure);
  expect(managed.lines.at(-1)).toMatchObject({ running: ['runnable hanging'] });
});

test('a runnable that ends because of its signal has not failed, whatever it throws', async () => {
  const abort = new DOMException('This operation was aborted', 'AbortError');
  const managed = new Managed({
    controllers: [idle],
    runnables: [
      { name: 'sleeping', run: (signal) => managed.clock.sleep(1e9, signal) },
      {
        name: 'fetching',
        run: (signal) => managed.clock.sleep(1e9, signal).catch(() => Promise.reject(abort)),
      },
    ],
  });
  await managed.start();
  await managed.stop();
  expect(managed.ended).toBe('ended');
});

test('a manager ends when its work is done, and one with controllers never is', async () => {
  const short = { name: 'short', run: () => Promise.resolve() };
  const leading = { ...short, needsLeadership: true };
  expect((await new Managed({ runnables: [short, leading] }).start()).ended).toBe('ended');
  expect((await new Managed({}).start()).ended).toBe('ended');
  const managed = await new Managed({ controllers: [idle], runnables: [short] }).start();
  await managed.pass(3_600_000);
  expect(managed.ended).toBeUndefined();
  await managed.stop();
  expect(managed.ended).toBe('ended');
});

test('watches run until everything that may read them has ended', async () => {
  const open: number[] = [];
  const look = (): void => void open.push(managed.cluster.watched.size);
  const managed: Managed = new Managed({
    controllers: [idle],
    runnables: [
      {
        name: 'server',
        run: async (signal) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          await managed.clock.sleep(1000);
          look();
        },
      },
    ],
  });
  await managed.start();
  look();
  await managed.stop();
  await managed.pass(1000);
  look();
  expect(open).toEqual([1, 1, 0]);
});
