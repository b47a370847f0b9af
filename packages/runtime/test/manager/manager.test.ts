import { expect, jest, test } from '@jest/globals';
import { controller } from '../../controller/controller.ts';
import { Manager } from '../../manager/manager.ts';
import { ConfigMap, inMall, Secret, Shop, stocking } from '../controller/running.ts';
import { refused } from '../observed-cluster.ts';
import { idle, Managed, reconcile } from './managed.ts';

test('a manager reads the cluster, runs its controllers, and ends by its signal', async () => {
  const managed = new Managed({ controllers: [stocking] });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  managed.cluster.put(Shop, { metadata: inMall('b') });
  await managed.pass(1000);
  managed.cluster.remove(ConfigMap, inMall('a'));
  await managed.pass(1000);
  expect(managed.cluster.calls).toEqual([
    'create configmaps mall/a',
    'create configmaps mall/b',
    'create configmaps mall/a',
  ]);
  expect(managed.ended).toBeUndefined();
  await managed.stop();
  expect(managed.ended).toBe('ended');
  expect(managed.messages.at(-1)).toBe('the manager has stopped');
  expect(managed.clock.waiting).toBe(0);
});

test('controllers that could be mistaken for each other are refused', () => {
  const finalizer = { name: 'example.com/x', cleanUp: reconcile };
  const named = (name: string) => controller({ name, for: Shop, finalizer, reconcile });
  const secrets = controller({ name: 'a', for: Secret, finalizer, reconcile });
  expect(() => new Manager({ controllers: [named('a'), named('b'), secrets] })).toThrow(
    new Error(
      [
        'controllers of one manager must have names of their own, in logs, metrics and as managers of fields, got a for shops.example.com and secrets',
        'one controller must have the finalizer example.com/x of shops.example.com, as the first to clean up takes it away, got two',
      ].join('\n'),
    ),
  );
  expect(() => new Manager({ controllers: [named('a')], gracefulStop: 0 })).toThrow(
    'gracefulStop must be milliseconds above 0, got 0',
  );
  const other = controller({ name: 'b', for: Secret, finalizer, reconcile });
  expect(new Manager({ controllers: [named('a'), other] }).access).toHaveLength(4);
});

test('a manager runs once, and not at all if its signal was aborted before', async () => {
  const managed = new Managed({ controllers: [idle] });
  await managed.stop();
  await managed.start();
  expect(managed.ended).toBe('ended');
  expect(managed.messages).toEqual([]);
  await expect(managed.manager.run()).rejects.toThrow('a manager must be run once');
});

test('SIGTERM ends a manager gracefully, and a second one ends it at once', async () => {
  const before = process.listenerCount('SIGTERM');
  const managed = new Managed({ controllers: [idle] });
  const ended = managed.manager.run();
  await managed.pass();
  expect(process.listenerCount('SIGTERM')).toBe(before + 1);
  process.emit('SIGTERM', 'SIGTERM');
  expect(process.listenerCount('SIGTERM')).toBe(before);
  await ended;
  expect(managed.messages.at(-1)).toBe('the manager has stopped');
  await new Managed({}).manager.run();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

test('changes of watches are logged, above all a kind that is not served', async () => {
  const managed = new Managed({ controllers: [idle] });
  managed.cluster.beforeRead = () => Promise.reject(refused(404, 'NotFound'));
  await managed.start();
  expect(managed.lines.find(({ level }) => level === 'warn')).toMatchObject({
    msg: 'a kind is not served, and is waited for',
    kind: 'shops.example.com',
  });
  managed.cluster.beforeRead = () => undefined;
  await managed.pass(60_000);
  expect(managed.messages).toContain('all objects of a kind have been read');
  expect(managed.messages).toContain('the controller runs');
  await managed.stop();
});

test('a signal changes the level of the default log while the manager runs', async () => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const before = process.listenerCount('SIGUSR2');
    const managed = await new Managed({ controllers: [idle], log: undefined }).start();
    expect(process.listenerCount('SIGUSR2')).toBe(before + 1);
    process.emit('SIGUSR2', 'SIGUSR2');
    await managed.stop();
    expect([managed.ended, process.listenerCount('SIGUSR2')]).toEqual(['ended', before]);
    const levels = written.mock.calls
      .map(([line]) => String(line))
      .filter((line) => /"to"/.test(line));
    expect(levels).toEqual([expect.stringContaining('"to":"debug"')]);
  } finally {
    written.mockRestore();
  }
});
