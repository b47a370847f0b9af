import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { systemClock } from '../../clock/clock.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { leaseElection } from '../../leader/lease-election.ts';
import { LeadershipLost } from '../../leader/leader-election.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { jsonLog } from '../../log/log.ts';
import type { Client } from '../../client/client.ts';
import { Candidate, silent, type CandidateProps } from './candidate.ts';
import { LeaseNetwork } from './lease-network.ts';

/** Starts candidates whose calls take 20 ms. */
function worldOf(
  names: readonly string[],
  props: Partial<CandidateProps> = {},
): { time: VirtualClock; server: LeaseNetwork; candidates: Candidate[] } {
  const time = new VirtualClock();
  const server = new LeaseNetwork(time);
  server.decideOutcome = () => ({ there: 10, back: 10 });
  const candidates = names.map((name) => new Candidate({ time, server, name, ...props }));
  for (const candidate of candidates) candidate.start();
  return { time, server, candidates };
}

const leaders = (candidates: readonly Candidate[]): string[] =>
  candidates.filter(({ leads }) => leads).map(({ name }) => name);

test('one of several candidates leads, and is the holder in the Lease', async () => {
  const { time, server, candidates } = worldOf(['a', 'b']);
  await time.advance(5000);
  expect(leaders(candidates)).toEqual(['a']);
  expect(candidates.map(({ election }) => [election.isLeading(), election.holder])).toEqual([
    [true, 'a'],
    [false, 'a'],
  ]);
  expect(server.lease).toMatchObject({
    metadata: { name: 'operator', namespace: 'shop' },
    spec: {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      acquireTime: '2026-01-01T00:00:00.020000Z',
      renewTime: '2026-01-01T00:00:04.000000Z',
    },
  });
});

test('after the leader died another candidate leads within 19 seconds, and 15 after the last renewal', async () => {
  const moments = fc.record({
    killed: fc.integer({ min: 0, max: 6000 }),
    began: fc.integer({ min: 100, max: 2200 }),
    random: fc.double({ min: 0, max: 0.99, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(moments, async ({ killed, began, random }) => {
      const { time, server, candidates } = worldOf(['a']);
      const b = new Candidate({ time, server, name: 'b', random: () => random });
      await time.advance(began);
      b.start();
      await time.advance(killed);
      candidates[0]!.kill();
      await time.advance(20_000);
      expect(leaders([b])).toEqual(['b']);
      const { acquireTime = '', leaseTransitions } = server.lease?.spec ?? {};
      const last = server.writes.findLast(({ holder }) => holder === 'a')!;
      const taken = new Date(acquireTime).getTime() - new Date('2026-01-01').getTime();
      expect(taken - last.at).toBeGreaterThan(15_000 - 10);
      expect(taken - began - killed).toBeLessThan(19_000 + 100);
      expect(leaseTransitions).toBe(1);
    }),
    runs(100),
  );
});

test('the work of the leader ends first, then the next candidate leads within a retry period', async () => {
  const { time, server, candidates } = worldOf(['a', 'b'], { drain: 25_000, random: () => 0 });
  const [a, b] = candidates as [Candidate, Candidate];
  await time.advance(3000);
  a.stop();
  await time.advance(24_990);
  expect([a.isSure, leaders(candidates), server.lease?.spec?.holderIdentity]).toEqual([
    true,
    ['a'],
    'a',
  ]);
  await time.advance(50);
  expect([a.ended, leaders(candidates), a.isSure]).toEqual(['stopped', [], false]);
  expect(server.lease?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
  await time.advance(2000 + 40);
  expect([leaders(candidates), b.terms]).toEqual([['b'], 1]);
  expect(server.lease?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
});

test('nothing is written after the Lease is released', async () => {
  const { time, server, candidates } = worldOf(['a']);
  const [a] = candidates as [Candidate];
  await time.advance(3000);
  const sure: (boolean | undefined)[] = [];
  server.stored = () => sure.push(a.leads, a.isSure);
  let calls = 0;
  // Another client writes the Lease during its release.
  server.decideOutcome = () => {
    calls += 1;
    if (calls === 2) server.label('other');
    return { there: 10, back: 10 };
  };
  a.stop();
  await time.advance(100);
  expect(server.lease).toMatchObject({
    metadata: { labels: { value: 'other' } },
    spec: { holderIdentity: '' },
  });
  expect([a.ended, sure]).toEqual(['stopped', [false, false]]);
});

test('a candidate that stops leaves nothing behind', async () => {
  const { time, server, candidates } = worldOf(['a', 'b']);
  const [a, b] = candidates as [Candidate, Candidate];
  await time.advance(3005);
  b.stop();
  await time.advance(20);
  expect([b.ended, b.terms]).toEqual(['stopped', 0]);
  a.kill();
  await time.advance(60_000);
  expect(server.lease?.spec?.holderIdentity).toBe('a');
  expect(time.waiting).toBe(0);
});

test('a lock that is acquired during a stop is released', async () => {
  const { time, server, candidates } = worldOf(['a']);
  await time.advance(35);
  candidates[0]!.stop();
  await time.advance(100);
  expect([candidates[0]!.ended, candidates[0]!.terms]).toEqual(['stopped', 0]);
  expect(server.lease?.spec?.holderIdentity).toBe('');
});

test('a server that does not answer delays a stop by at most half a retry period', async () => {
  const { time, candidates } = worldOf(['a']);
  const [a] = candidates as [Candidate];
  await time.advance(3030);
  a.cut(60_000);
  a.stop();
  await time.advance(999);
  expect(a.ended).toBeUndefined();
  await time.advance(20);
  expect(a.ended).toBe('stopped');
});

test('a leader that cannot renew has lost at the renew deadline, counted from the last successful call', async () => {
  const { time, candidates } = worldOf(['a'], { onLost: 'exit' });
  const [a] = candidates as [Candidate];
  await time.advance(4030);
  a.cut(60_000);
  // The last one was sent at 4000.
  await time.advance(14_000 - 4030 - 1);
  expect([a.leads, a.isSure]).toEqual([true, true]);
  await time.advance(1);
  expect([a.leads, a.isSure]).toEqual([false, false]);
  expect(a.ended).toEqual(new LeadershipLost('lease shop/operator was not renewed for 10000 ms'));
});

test('a leader that finds another holder in the Lease has lost', async () => {
  const { time, server, candidates } = worldOf(['a'], { onLost: 'exit' });
  await time.advance(3000);
  server.seize('x');
  await time.advance(1500);
  expect(candidates[0]!.ended).toEqual(new LeadershipLost('lease shop/operator is held by x'));
  expect(server.lease?.spec?.holderIdentity).toBe('x');
});

test('after a stall the leader gets more time to renew, up to half of the time left until others may lead', async () => {
  const { time, candidates } = worldOf(['a'], { onLost: 'exit' });
  const [a] = candidates as [Candidate];
  await time.advance(4030);
  a.cut(60_000);
  a.clock.stall(11_000);
  await time.advance(16_490 - 4030);
  expect([a.leads, a.isSure]).toEqual([true, false]);
  await time.advance(20);
  expect(a.leads).toBe(false);
});

test('a short delay of the event loop gets no more time to renew', async () => {
  const { time, candidates } = worldOf(['a'], { onLost: 'exit' });
  const [a] = candidates as [Candidate];
  await time.advance(4030);
  a.cut(60_000);
  await time.advance(13_950 - 4030);
  a.clock.stall(100);
  await time.advance(110);
  expect(a.ended instanceof LeadershipLost).toBe(true);
});

test('a machine that was suspended does not continue to lead', async () => {
  const { time, candidates } = worldOf(['a', 'b']);
  const [a, b] = candidates as [Candidate, Candidate];
  await time.advance(4030);
  a.clock.suspend(30_000);
  await time.advance(30_000);
  expect([a.isSure, b.isSure]).toEqual([false, true]);
  await time.advance(600);
  expect(leaders(candidates)).toEqual(['b']);
});

test('a candidate that was suspended while it acquired the lead renews it first', async () => {
  const { time, server, candidates } = worldOf(['a'], { onLost: 'exit' });
  const [a] = candidates as [Candidate];
  await time.advance(25);
  a.clock.suspend(12_000);
  await time.advance(12_030);
  expect([server.lease?.spec?.holderIdentity, a.terms]).toEqual(['a', 0]);
  await time.advance(100);
  expect([a.terms, a.isSure]).toEqual([1, true]);
});

test('a call without an answer is aborted in time for another', async () => {
  const { time, server, candidates } = worldOf(['a']);
  const [a] = candidates as [Candidate];
  await time.advance(3000);
  let calls = 0;
  server.decideOutcome = () => ({
    there: 10,
    back: 10,
    lost: calls++ === 0 ? 'request' : undefined,
  });
  await time.advance(60_000);
  expect([a.terms, a.isSure, calls > 20]).toEqual([1, true, true]);
});

test('a stall of the event loop of 8 seconds, at any time, does not lose the lead', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 2100 }), async (start) => {
      const { time, candidates } = worldOf(['a', 'b']);
      const [a, b] = candidates as [Candidate, Candidate];
      await time.advance(4000 + start);
      a.clock.stall(8000);
      await time.advance(8100);
      expect([a.isSure, a.terms, b.terms]).toEqual([true, 1, 0]);
      await time.advance(30_000);
      expect([a.leads, a.terms, b.terms]).toEqual([true, 1, 0]);
    }),
    runs(100),
  );
});

test('a leader with a stall beyond the deadline starts no write, even before it notices the loss', async () => {
  const { time, candidates } = worldOf(['a', 'b'], { onLost: 'exit' });
  const [a, b] = candidates as [Candidate, Candidate];
  await time.advance(3000);
  a.clock.stall(30_000);
  const sure: boolean[] = [];
  for (let second = 3; second < 33; second += 1) {
    sure.push(a.isSure);
    await time.advance(1000);
  }
  expect(sure.lastIndexOf(true) + 3).toBe(11);
  await time.advance(1000);
  expect([a.ended instanceof LeadershipLost, leaders(candidates)]).toEqual([true, ['b']]);
  expect(b.terms).toBe(1);
});

test('the event loop of the test process may be blocked', async () => {
  const server = new LeaseNetwork(new VirtualClock());
  const client = server.directClient();
  const timing = { leaseDuration: 60_000, renewDeadline: 1000, retryPeriod: 200 };
  const lease = { name: 'operator', namespace: 'shop' };
  const props = { ...timing, client, lease, clock: systemClock, random: Math.random, log: silent };
  const election = leaseElection({ ...props, identity: 'a' });
  const stop = new AbortController();
  const observed: boolean[] = [];
  await election.run(async (leading) => {
    observed.push(election.isLeading());
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
    observed.push(election.isLeading());
    while (!leading.aborted && !election.isLeading()) await systemClock.sleep(1);
    observed.push(leading.aborted);
  }, stop.signal);
  expect(observed).toEqual([true, false, false]);
});

test('a replica that lost the lead is a candidate again once its work has ended', async () => {
  const { time, server, candidates } = worldOf(['a', 'b'], { drain: 7000 });
  const [a, b] = candidates as [Candidate, Candidate];
  await time.advance(3000);
  a.cut(20_000);
  await time.advance(30_000);
  expect([leaders(candidates), a.ended, a.terms]).toEqual([['b'], undefined, 1]);
  b.stop();
  await time.advance(10_000);
  expect([leaders(candidates), a.terms]).toEqual([['a'], 2]);
  expect(server.lease?.spec?.leaseTransitions).toBe(2);
});

test('the work of a leader is not started again before it has ended', async () => {
  const { time, candidates } = worldOf(['a'], { drain: 30_000 });
  const [a] = candidates as [Candidate];
  await time.advance(3000);
  a.cut(11_000);
  await time.advance(38_000);
  expect([a.terms, a.running, a.isSure]).toEqual([1, 1, false]);
  await time.advance(5000);
  expect([a.terms, a.running, a.isSure]).toEqual([2, 1, true]);
});

test('a candidate that never requested the Lease sends nothing when it stops', async () => {
  const { time, server } = worldOf(['a']);
  await time.advance(1000);
  const b = new Candidate({ time, server, name: 'b' });
  b.start();
  await time.advance(500);
  let calls = 0;
  server.decideOutcome = () => {
    calls += 1;
    return { there: 10, back: 10 };
  };
  b.stop();
  await time.advance(100);
  expect([b.ended, calls]).toEqual(['stopped', 0]);
});

test('a candidate that reconnects and finds the Lease deleted waits for as long as the Lease was valid', async () => {
  const { time, server, candidates } = worldOf(['a', 'b']);
  const [a, b] = candidates as [Candidate, Candidate];
  await time.advance(3000);
  b.cut(30_000);
  await time.advance(30_000);
  a.kill();
  server.delete();
  await time.advance(14_000);
  expect(b.terms).toBe(0);
  await time.advance(10_000);
  expect(b.terms).toBe(1);
});

test('if the work of the leader fails, the Lease is released and the error is thrown', async () => {
  const time = new VirtualClock();
  const server = new LeaseNetwork(time);
  const client = server.directClient();
  const lease = { name: 'operator', namespace: 'shop' };
  for (const onLost of ['exit', 'standby'] as const) {
    const props = { client, lease, clock: time, random: () => 0, log: silent, onLost };
    const states: boolean[] = [];
    const election = leaseElection({ ...props, observe: (leads) => states.push(leads) });
    const failure = new Error('broken');
    const run = election.run(() => Promise.reject(failure), new AbortController().signal);
    await expect(run).rejects.toBe(failure);
    expect([server.lease?.spec?.holderIdentity, states]).toEqual(['', [true, false]]);
  }
  expect(time.waiting).toBe(0);
});

test('only the leader creates a deleted Lease again', async () => {
  const { time, server, candidates } = worldOf(['a', 'b']);
  const [a, b] = candidates as [Candidate, Candidate];
  for (let times = 0; times < 20; times += 1) {
    await time.advance(3130);
    server.delete();
  }
  await time.advance(5000);
  expect([a.terms, b.terms, leaders(candidates)]).toEqual([1, 0, ['a']]);
});

test('changes by others to the Lease are kept, and nobody loses the lead', async () => {
  const { time, server, candidates } = worldOf(['a', 'b']);
  for (let times = 0; times < 20; times += 1) {
    await time.advance(1130);
    server.label(String(times));
  }
  await time.advance(5000);
  expect(candidates.map(({ terms }) => terms)).toEqual([1, 0]);
  expect(server.lease?.metadata.labels).toEqual({ value: '19' });
});

test('a leader sets in the Lease how long others wait for it', async () => {
  const { time, candidates, server } = worldOf(['a'], { leaseDuration: 60_000 });
  await time.advance(3000);
  const b = new Candidate({ time, server, name: 'b', retryPeriod: 500 });
  b.start();
  await time.advance(3000);
  candidates[0]!.kill();
  await time.advance(55_000);
  expect(b.terms).toBe(0);
  await time.advance(7000);
  expect(b.terms).toBe(1);
});

const years = { leaseDurationSeconds: 1_000_000_000 };

test('an edit of the leader’s Lease costs nobody the lead, and is reverted', async () => {
  const { time, server, candidates } = worldOf(['a', 'b']);
  await time.advance(3000);
  server.edit({ ...years, renewTime: '1999-01-01T00:00:00.000000Z', leaseTransitions: 7 });
  await time.advance(3000);
  expect(server.lease?.spec).toMatchObject({ leaseDurationSeconds: 15, holderIdentity: 'a' });
  await time.advance(60_000);
  expect(candidates.map(({ terms }) => terms)).toEqual([1, 0]);
});

test.each([
  ['another duration', { leaseDurationSeconds: 15 }, 15_000],
  ['that nobody holds it', { holderIdentity: '' }, 0],
])(
  'a Lease with a duration of years is respected until it is edited to have %s',
  async (_, spec, wait) => {
    const { time, server, candidates } = worldOf(['a', 'b']);
    const [a, b] = candidates as [Candidate, Candidate];
    await time.advance(3000);
    a.kill();
    server.edit({ ...years, holderIdentity: 'x' });
    await time.advance(3_600_000);
    expect(b.terms).toBe(0);
    server.edit(spec);
    await time.advance(wait);
    expect(b.terms).toBe(0);
    await time.advance(4100);
    expect([b.terms, b.isSure]).toEqual([1, true]);
  },
);

test.each([
  [0, 30],
  [0.5, 35],
  [0.999, 40],
])(
  'a waiting candidate tries each retry period, or up to a quarter earlier by chance (%d)',
  async (chance, times) => {
    const { time, server, candidates } = worldOf(['a']);
    await time.advance(1000);
    candidates[0]!.kill();
    server.edit({ ...years, holderIdentity: 'x' });
    const b = new Candidate({ time, server, name: 'b', random: () => chance });
    let calls = 0;
    server.decideOutcome = () => {
      calls += 1;
      return { there: 0, back: 0 };
    };
    b.start();
    await time.advance(59_999);
    expect([calls, b.terms]).toEqual([times, 0]);
  },
);

test('a renewal that is answered just before the deadline is in time, and one just after is not', async () => {
  for (const [back, ended] of [
    [2900, false],
    [3100, true],
  ] as const) {
    const { time, server, candidates } = worldOf(['a'], { onLost: 'exit' });
    const [a] = candidates as [Candidate];
    await time.advance(3000);
    let calls = 0;
    // The first call is aborted after 5 s, which leaves 3 s for the second.
    server.decideOutcome = () => ({ there: 10, back, lost: calls++ === 1 ? undefined : 'request' });
    await time.advance(12_000);
    expect([back, a.ended !== undefined]).toEqual([back, ended]);
  }
});

test('changes of the lock are logged', async () => {
  const time = new VirtualClock();
  const server = new LeaseNetwork(time);
  const direct = server.directClient();
  let isAway = false;
  const away = new Error('unreachable');
  const client: Pick<Client, 'get' | 'create' | 'update'> = {
    create: (...args) => direct.create(...args),
    get: (...args) => (isAway ? Promise.reject(away) : direct.get(...args)),
    update: (...args) => (isAway ? Promise.reject(away) : direct.update(...args)),
  };
  const lease = { name: 'operator', namespace: 'shop' };
  const lines: string[] = [];
  const log = jsonLog({ clock: time, write: (line) => lines.push(line) });
  const deps = { client, lease, clock: time, random: () => 0, log, identity: 'a' };
  const never = new Promise<void>(() => {});
  const run = leaseElection(deps).run(() => never, new AbortController().signal);
  const ended = run.catch((error: unknown) => error);
  await time.advance(3000);
  isAway = true;
  await time.advance(10_000);
  const { cause } = (await ended) as Error;
  expect(cause).toBe(away);
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; lock: string });
  expect(new Set(logged.map(({ lock }) => lock))).toEqual(new Set(['lease shop/operator']));
  expect(logged.map(({ msg }) => msg)).toEqual([
    'this replica competes for the lock',
    'there is a leader',
    'the lock is held by this replica',
    'the lock could not be renewed',
    'the lock could not be renewed',
    'the lock could not be renewed',
    'the lock could not be renewed',
    'the lock could not be renewed',
    'the lock is lost',
  ]);
});

const noTime: readonly (readonly [object, string])[] = [
  [{ leaseDuration: 15_500 }, 'leaseDuration must be whole seconds, got 15500'],
  [{ leaseDuration: 0 }, 'leaseDuration must be whole seconds, got 0'],
  [
    { renewDeadline: 15_000 },
    'renewDeadline must be above 0 and below the leaseDuration of 15000 ms, got 15000',
  ],
  [
    { retryPeriod: 5001 },
    'retryPeriod must be above 0 and at most half of the renewDeadline of 10000 ms, got 5001',
  ],
  [
    { retryPeriod: 0 },
    'retryPeriod must be above 0 and at most half of the renewDeadline of 10000 ms, got 0',
  ],
  [{ identity: '' }, "identity must not be empty, got ''"],
];

test.each(noTime)('%j is refused', (timing, message) => {
  const time = new VirtualClock();
  const client = new LeaseNetwork(time).directClient();
  const lease = { name: 'operator', namespace: 'shop' };
  const props = { client, lease, clock: time, random: () => 0, log: silent };
  expect(() => leaseElection({ ...props, ...timing })).toThrow(new RangeError(message));
});

test('every process has an identity of its own', async () => {
  const time = new VirtualClock();
  const held = new Set<string | undefined>();
  for (let times = 0; times < 2; times += 1) {
    const server = new LeaseNetwork(time);
    const client = server.directClient();
    const lease = { name: 'operator', namespace: 'shop' };
    const election = leaseElection({ client, lease, clock: time, random: () => 0, log: silent });
    await election.run(() => Promise.resolve(), new AbortController().signal);
    held.add(server.writes[0]?.holder);
  }
  expect(held.size).toBe(2);
});
