import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { FlowControl, type Priority } from '../../connection/flow-control.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

interface Passed {
  readonly id: number;
  readonly priority: Priority;
  readonly at: number;
}

function flowOf(qps: number, burst: number, atOnce = Infinity) {
  const clock = new VirtualClock();
  const flow = new FlowControl({ qps, burst, atOnce, clock });
  const passed: Passed[] = [];
  const ask = (id: number, priority: Priority, signal?: AbortSignal): Promise<void> =>
    flow.acquire(priority, signal).then(
      () => void passed.push({ id, priority, at: clock.now() }),
      () => {},
    );
  return { clock, flow, passed, ask };
}

const asked = fc.array(
  fc.record({
    priority: fc.constantFrom<Priority>('call', 'list'),
    pause: fc.nat({ max: 400 }),
    isAborted: fc.boolean(),
  }),
  { maxLength: 60 },
);

test('no time window has more calls than the burst and the rate allow', async () => {
  await fc.assert(
    fc.asyncProperty(
      asked,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 10 }),
      async (calls, qps, burst) => {
        const { clock, passed, ask } = flowOf(qps, burst);
        for (const [id, { priority, pause }] of calls.entries()) {
          void ask(id, priority);
          await clock.advance(pause);
        }
        await clock.advance(60_000);
        expect(passed).toHaveLength(calls.length);
        for (const [i, { at: from }] of passed.entries()) {
          for (const [j, { at: to }] of passed.slice(i).entries()) {
            expect(j + 1).toBeLessThanOrEqual(burst + ((to - from) / 1000) * qps + 1e-3);
          }
        }
      },
    ),
    runs(40),
  );
});

test('within a priority calls are served in order, and a caller that leaves takes no turn', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (calls) => {
      const { clock, flow, passed, ask } = flowOf(10, 2);
      const leaving = new AbortController();
      for (const [id, { priority, isAborted }] of calls.entries()) {
        void ask(id, priority, isAborted ? leaving.signal : undefined);
      }
      await clock.advance(0);
      const before = new Set(passed.map(({ id }) => id));
      leaving.abort();
      await clock.advance(60_000);
      const stayed = calls.flatMap(({ isAborted }, id) =>
        isAborted && !before.has(id) ? [] : [id],
      );
      expect(passed.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(stayed);
      for (const priority of ['call', 'list']) {
        const ids = passed.filter((one) => one.priority === priority).map(({ id }) => id);
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      }
      expect([flow.waiting, clock.waiting]).toEqual([0, 0]);
    }),
    runs(40),
  );
});

test('a caller that leaves passes its token to the next', async () => {
  const { clock, passed, ask } = flowOf(1, 1);
  const leaving = new AbortController();
  void ask(0, 'call');
  void ask(1, 'call', leaving.signal);
  void ask(2, 'call');
  leaving.abort();
  await clock.advance(1000);
  expect(passed.map(({ id }) => id)).toEqual([0, 2]);
});

test('no timer is left when nobody waits', async () => {
  const { clock, flow, ask } = flowOf(1, 1);
  const leaving = new AbortController();
  void ask(0, 'call');
  void ask(1, 'call', leaving.signal);
  void ask(2, 'list', leaving.signal);
  expect(clock.waiting).toBe(1);
  leaving.abort();
  expect([flow.waiting, clock.waiting]).toEqual([0, 0]);
  const last = ask(3, 'call');
  await clock.advance(1000);
  await last;
});

test('calls go before lists, except for one turn of eight', async () => {
  const { clock, passed, ask } = flowOf(1, 1);
  void ask(-1, 'call');
  for (let id = 0; id < 4; id += 1) void ask(id, 'list');
  for (let id = 0; id < 16; id += 1) void ask(id, 'call');
  await clock.advance(30_000);
  expect(
    passed
      .slice(1)
      .map(({ priority }) => priority[0])
      .join(''),
  ).toBe('cccccccl'.repeat(2) + 'ccll');
});

test('a lease goes at once, however many calls wait, and its tokens are saved later', async () => {
  const { clock, passed, ask } = flowOf(1, 1);
  for (let id = 0; id < 10; id += 1) void ask(id, 'list');
  void ask(10, 'lease');
  void ask(11, 'lease');
  await clock.advance(0);
  expect(passed.map(({ id }) => id)).toEqual([0, 10, 11]);
  await clock.advance(1999);
  expect(passed).toHaveLength(3);
  await clock.advance(1);
  expect(passed).toHaveLength(4);
});

test('a constant load of leases delays others by no more than a burst', async () => {
  const { clock, passed, ask } = flowOf(1, 2);
  for (let id = 0; id < 1000; id += 1) void ask(id, 'lease');
  void ask(1000, 'call');
  await clock.advance(3000);
  expect(passed.at(-1)).toEqual({ id: 1000, priority: 'call', at: 3000 });
});

test('without a limit no call waits', async () => {
  const { clock, passed, ask } = flowOf(Infinity, 1);
  for (let id = 0; id < 100; id += 1) void ask(id, 'list');
  await clock.advance(1);
  expect(passed).toHaveLength(100);
});

test('no more calls run than allowed, and each waiting call starts when a slot is free', async () => {
  await fc.assert(
    fc.asyncProperty(
      asked,
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(20, Infinity),
      async (calls, atOnce, qps) => {
        const clock = new VirtualClock();
        const flow = new FlowControl({ qps, burst: 3, atOnce, clock });
        let underWay = 0;
        let most = 0;
        let over = 0;
        const leaving = new AbortController();
        const work = async (priority: Priority, pause: number, signal?: AbortSignal) => {
          const endTurn = await flow.acquire(priority, signal);
          most = Math.max(most, (underWay += 1));
          await clock.sleep(pause);
          underWay -= 1;
          over += 1;
          endTurn();
          endTurn();
        };
        const all = calls.map(({ priority, pause, isAborted }) =>
          work(priority, pause, isAborted ? leaving.signal : undefined).catch(() => (over += 1)),
        );
        await clock.advance(100);
        leaving.abort();
        await clock.advance(60_000);
        await Promise.all(all);
        expect(most).toBeLessThanOrEqual(atOnce);
        expect([over, flow.waiting, clock.waiting]).toEqual([calls.length, 0, 0]);
      },
    ),
    runs(40),
  );
});

test('a lease waits for no slot, and takes none', async () => {
  const { clock, passed, ask } = flowOf(Infinity, 1, 1);
  void ask(0, 'call');
  void ask(1, 'lease');
  void ask(2, 'call');
  await clock.advance(1000);
  expect(passed.map(({ id }) => id)).toEqual([0, 1]);
});

test.each([
  [{ qps: 0, burst: 1 }, 'qps must be above 0, got 0'],
  [{ qps: Number.NaN, burst: 1 }, 'qps must be above 0, got NaN'],
  [{ qps: 1, burst: 0 }, 'burst must be at least 1, got 0'],
  [{ qps: 1, burst: 1, atOnce: 0 }, 'atOnce must be at least 1, got 0'],
])('%j is not a limit', (limit, message) => {
  expect(() => new FlowControl({ atOnce: 1, ...limit, clock: new VirtualClock() })).toThrow(
    message,
  );
});
