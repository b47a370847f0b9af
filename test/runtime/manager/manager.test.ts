import { expect, jest, test } from '@jest/globals';
import { allow } from '../../../runtime/access/grant.ts';
import { controller } from '../../../runtime/controller/controller.ts';
import { done } from '../../../runtime/controller/result.ts';
import { ifExists } from '../../../runtime/errors/expected.ts';
import { leaseElection } from '../../../runtime/leader/leaseelection.ts';
import { LeadershipLost } from '../../../runtime/leader/notleading.ts';
import { Manager, type LeaderDeps } from '../../../runtime/manager/manager.ts';
import { ConfigMap, inMall, Secret, Shop } from '../controller/running.ts';
import { Election, Managed, noting } from './managed.ts';

const reconcile = () => Promise.resolve(done);
const shops = controller({ name: 'shops', for: Shop, reconcile });

test('a manager reads the cluster, runs its controllers, and ends when it is asked to', async () => {
  const copying = controller({
    name: 'shops',
    for: Shop,
    owns: [ConfigMap],
    access: [allow(ConfigMap, 'create')],
    reconcile: async ({ object, client, cache, owned }) => {
      const { name, namespace } = object.metadata;
      if (!cache.get(ConfigMap, { name, namespace })) {
        await client.create(ConfigMap, owned({ metadata: { name } }));
      }
      return done;
    },
  });
  const managed = new Managed({ controllers: [copying] });
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
  expect(managed.said.at(-1)).toBe('the manager has stopped');
  expect(managed.clock.waiting).toBe(0);
});

test('controllers that would be taken for each other are refused', () => {
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

test('controllers and runnables that need it run while this replica leads, others always', async () => {
  const said: string[] = [];
  const election = new Election(said);
  const watching = controller({
    name: 'shops',
    for: Shop,
    reconcile: async ({ object }) => {
      said.push(`shop ${object.metadata.name}`);
      return done;
    },
  });
  const managed = new Managed({
    controllers: [watching],
    runnables: [noting(said, 'metrics'), noting(said, 'timer', { needsLeadership: true })],
    leaderElection: election,
  });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  await managed.pass(60_000);
  expect(said.splice(0)).toEqual(['metrics begins']);
  election.lead();
  await managed.pass();
  expect(said.splice(0)).toEqual(['timer begins', 'shop a']);
  election.lose();
  managed.cluster.put(Shop, { metadata: inMall('b') });
  await managed.pass(60_000);
  expect(said.splice(0)).toEqual(['timer ends']);
  expect(managed.said).toContain('this replica does not lead any more');
  election.lead();
  await managed.pass();
  expect(said.splice(0)).toEqual(['timer begins', 'shop a', 'shop b']);
  await managed.stop();
  expect(said).toEqual(['timer ends', 'the lease is given back', 'metrics ends']);
  expect(managed.ended).toBe('ended');
});

test('the lease is given back when what was begun is finished, and then the rest ends', async () => {
  const said: string[] = [];
  const election = new Election(said);
  const slow = controller({
    name: 'shops',
    for: Shop,
    access: [allow(ConfigMap, 'create')],
    reconcile: async ({ clock, client }) => {
      await clock.sleep(10_000);
      await client.create(ConfigMap, { metadata: inMall('a') });
      said.push('finished');
      return done;
    },
  });
  const managed = new Managed({
    controllers: [slow],
    runnables: [noting(said, 'metrics')],
    leaderElection: election,
  });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  election.lead();
  await managed.pass();
  await managed.stop();
  await managed.pass(9999);
  expect(said.splice(0)).toEqual(['metrics begins']);
  await managed.pass(1);
  expect(said).toEqual(['finished', 'the lease is given back', 'metrics ends']);
  expect(managed.ended).toBe('ended');
});

test('a replica that does not lead any more begins no write, though it was not asked to end', async () => {
  const said: string[] = [];
  const election = new Election(said);
  const slow = controller({
    name: 'shops',
    for: Shop,
    access: [allow(ConfigMap, 'create')],
    reconcile: async ({ clock, client }) => {
      await clock.sleep(1000);
      await client.create(ConfigMap, { metadata: inMall('a') });
      return done;
    },
  });
  const managed = new Managed({ controllers: [slow], leaderElection: election });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  election.lead();
  await managed.pass();
  election.lose();
  await managed.pass(10_000);
  expect(managed.cluster.calls).toEqual([]);
  expect(managed.said).toContain('the reconcile was stopped');
  await managed.stop();
  expect(managed.ended).toBe('ended');
});

test('a replica that is not sure to lead begins no write, though no signal has aborted', async () => {
  const election = new Election([]);
  const writing = controller({
    name: 'shops',
    for: Shop,
    access: [allow(ConfigMap, 'create')],
    reconcile: async ({ client, object }) => {
      await client.create(ConfigMap, { metadata: inMall(object.metadata.name) });
      return done;
    },
  });
  const managed = new Managed({ controllers: [writing], leaderElection: election });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  election.isSure = false;
  election.lead();
  await managed.pass();
  expect(managed.cluster.calls).toEqual([]);
  election.isSure = true;
  await managed.pass(1000);
  expect(managed.cluster.calls).toEqual(['create configmaps mall/a']);
  await managed.stop();
});

test('of two managers with one Lease one works, and the other when that one has ended', async () => {
  const lease = { name: 'shops', namespace: 'mall' };
  const props = (name: string) => ({
    controllers: [
      controller({
        name: 'shops',
        for: Shop,
        access: [allow(ConfigMap, 'create')],
        reconcile: async ({ client, object }) => {
          const metadata = inMall(`${object.metadata.name}-by-${name}`);
          await client.create(ConfigMap, { metadata }).catch(ifExists);
          return done;
        },
      }),
    ],
    leaderElection: (deps: LeaderDeps) => leaseElection({ ...deps, lease, identity: name }),
  });
  const a = await new Managed(props('a')).start();
  const b = await new Managed(props('b'), a).start();
  const written = (): string[] =>
    a.cluster.calls.splice(0).filter((call) => call.includes('configmaps'));
  a.cluster.put(Shop, { metadata: inMall('x') });
  await a.pass(10_000);
  expect(written()).toEqual(['create configmaps mall/x-by-a']);
  await a.stop();
  expect(a.ended).toBe('ended');
  await b.pass(2000);
  expect(written()).toEqual(['create configmaps mall/x-by-b']);
  // Nobody reaches the cluster any more.
  a.cluster.before = () => Promise.reject(new Error('unreachable'));
  await b.pass(11_000);
  expect(b.ended).toEqual(new LeadershipLost('lease mall/shops was not renewed for 10000 ms'));
});

test('what writes too long is cut off before the time is over, and what hangs is named', async () => {
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
  const said: string[] = [];
  const server = { name: 'server', run: () => new Promise<void>(() => {}) };
  const managed = new Managed({
    controllers: [writing, hanging],
    runnables: [{ ...server, needsLeadership: true }, noting(said, 'metrics')],
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
  expect(said).toEqual(['metrics begins', 'metrics ends']);
  expect(managed.clock.waiting).toBe(0);
});

test('an error of a runnable ends everything, and the manager with it', async () => {
  const said: string[] = [];
  const failure = new Error('port 8080 is taken');
  const managed = new Managed({
    controllers: [shops],
    runnables: [
      noting(said, 'metrics'),
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
  expect(said).toEqual(['metrics begins', 'metrics ends']);
  expect(managed.ended).toBe(failure);
  const errors = managed.lines.filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([
    { task: 'runnable webhooks', error: { message: 'port 8080 is taken' } },
    { task: 'runnable late', error: { message: 'another error' } },
  ]);
});

test('an error goes before the complaint that something hangs because of it', async () => {
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

test('who ends because it was asked to, by whatever error, has not failed', async () => {
  const abort = new DOMException('This operation was aborted', 'AbortError');
  const managed = new Managed({
    controllers: [shops],
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

test('a manager whose work is done ends, one with controllers never has it done', async () => {
  const short = { name: 'short', run: () => Promise.resolve() };
  const leading = { ...short, needsLeadership: true };
  expect((await new Managed({ runnables: [short, leading] }).start()).ended).toBe('ended');
  expect((await new Managed({}).start()).ended).toBe('ended');
  const managed = await new Managed({ controllers: [shops], runnables: [short] }).start();
  await managed.pass(3_600_000);
  expect(managed.ended).toBeUndefined();
  await managed.stop();
  expect(managed.ended).toBe('ended');
});

test('a leader election that gives up does not leave a process behind that does nothing', async () => {
  const leaderElection = { run: () => Promise.resolve(), isLeading: () => false };
  const managed = await new Managed({ controllers: [shops], leaderElection }).start();
  expect(managed.ended).toEqual(
    new Error('the leader election must run until it is stopped, got its end'),
  );
});

test('a manager runs once, and not at all where it is asked to end before', async () => {
  const managed = new Managed({ controllers: [shops] });
  await managed.stop();
  await managed.start();
  expect(managed.ended).toBe('ended');
  expect(managed.said).toEqual([]);
  await expect(managed.manager.run()).rejects.toThrow('a manager must be run once');
});

test('SIGTERM ends a manager, and who asks a second time is not held up', async () => {
  const before = process.listenerCount('SIGTERM');
  const managed = new Managed({ controllers: [shops] });
  const ended = managed.manager.run();
  await managed.pass();
  expect(process.listenerCount('SIGTERM')).toBe(before + 1);
  process.emit('SIGTERM', 'SIGTERM');
  expect(process.listenerCount('SIGTERM')).toBe(before);
  await ended;
  expect(managed.said.at(-1)).toBe('the manager has stopped');
  await new Managed({}).manager.run();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

test('what becomes of watches is in the log, a kind that is not there above all', async () => {
  const managed = new Managed({ controllers: [shops] });
  managed.cluster.missing.add('shops.example.com');
  await managed.start();
  expect(managed.lines.find(({ level }) => level === 'warn')).toMatchObject({
    msg: 'a kind is not served, and is waited for',
    kind: 'shops.example.com',
  });
  managed.cluster.missing.clear();
  await managed.pass(60_000);
  expect(managed.said).toContain('all objects of a kind have been read');
  expect(managed.said).toContain('the controller runs');
  await managed.stop();
});

test('the level of a log that nobody gave is changed by a signal, as long as the manager runs', async () => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const before = process.listenerCount('SIGUSR2');
    const managed = await new Managed({ controllers: [shops], log: undefined }).start();
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
