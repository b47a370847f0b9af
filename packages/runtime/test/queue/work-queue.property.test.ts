import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { WorkQueue } from '../../queue/work-queue.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { QueueModel } from './queue-model.ts';

const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
const key = fc.constantFrom(...keys);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      key,
      priority: fc.constantFrom(0, 0, 1, -100),
      flow: fc.constantFrom('x', 'y', 'z'),
      after: fc.constantFrom(0, 0, 1, 7, 50),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('done', 'fail'), nth: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), time: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), key }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A queue and its model, which get the same operations. */
class Pair {
  readonly clock = new VirtualClock();
  readonly queue = new WorkQueue({ clock: this.clock, random: () => 0.5 });
  readonly model = new QueueModel();
  readonly given: (string | undefined)[] = [];
  isIdle = false;

  async do(step: Step): Promise<void> {
    if ('after' in step) {
      const { key, priority, flow, after } = step;
      this.queue.add(key, { priority, flow, after });
      this.model.add({ key, priority, flow }, after);
    } else if ('nth' in step) {
      const work = this.model.working;
      const key = work[step.nth % Math.max(work.length, 1)]?.key;
      if (key !== undefined) this.finish(key, step.do === 'fail');
    } else if ('time' in step) {
      await this.clock.advance(step.time);
      this.model.advance(step.time);
    } else if ('key' in step) {
      this.queue.forget(step.key);
      this.model.failures.delete(step.key);
    } else {
      this.take();
    }
    await this.clock.advance(0);
  }

  take(): void {
    void this.queue.take().then((key) => this.given.push(key));
    this.model.takers += 1;
    this.model.handOut();
  }

  finish(key: string, isFailure: boolean): void {
    if (isFailure) this.queue.retry(key);
    if (isFailure) this.model.retry(key);
    this.queue.done(key);
    this.model.done(key);
  }

  end(isDrain: boolean): void {
    const ended = isDrain ? this.queue.drain() : this.queue.close();
    void ended.then(() => (this.isIdle = true));
    this.model.end(isDrain);
    this.model.handOut();
  }

  compare(): void {
    const { queue, model } = this;
    expect({
      given: this.given.filter((key) => key !== undefined),
      depth: queue.depth,
      delayed: queue.delayed,
      inWork: [...queue.inWork.keys()],
      failures: keys.map((key) => queue.failures(key)),
    }).toEqual({
      given: model.given,
      depth: model.waiting.length,
      delayed: model.delayed.length,
      inWork: model.working.map(({ key }) => key),
      failures: keys.map((key) => model.failures.get(key) ?? 0),
    });
  }
}

test('a queue does what its model does, for any operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const pair = new Pair();
      for (const step of steps) {
        await pair.do(step);
        pair.compare();
      }
    }),
    runs(150),
  );
});

test('a draining queue hands out what it must, drops the rest, and reports when it is idle', async () => {
  const steps = fc.array(step, { maxLength: 30, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, steps, fc.boolean(), async (before, after, isDrain) => {
      const pair = new Pair();
      for (const step of before) await pair.do(step);
      pair.end(isDrain);
      await pair.clock.advance(0);
      for (const step of after) {
        await pair.do(step);
        pair.compare();
        expect(pair.isIdle).toBe(pair.model.isOver && pair.model.working.length === 0);
      }
      while (!pair.isIdle) {
        for (const { key } of pair.model.working) pair.finish(key, false);
        pair.take();
        await pair.clock.advance(0);
        pair.compare();
      }
      expect(pair.model.isOver).toBe(true);
      expect(pair.given.length - pair.model.given.length).toBeGreaterThanOrEqual(0);
      expect(pair.clock.waiting).toBe(0);
    }),
    runs(100),
  );
});

test('whatever workers do, no key is processed twice at once, and every added key is processed afterwards', async () => {
  const life = fc.record({
    key,
    at: fc.nat(500),
    after: fc.constantFrom(0, 3, 100),
    priority: fc.nat(2),
  });
  const run = fc.record({ time: fc.nat(40), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(life, { minLength: 1, maxLength: 40, size: 'max' }),
      fc.array(run, { minLength: 1, maxLength: 40, size: 'max' }),
      fc.integer({ min: 1, max: 4 }),
      async (adds, runs, workers) => {
        const clock = new VirtualClock();
        const queue = new WorkQueue({ clock, random: () => 0.5 });
        const added = new Map<string, number>();
        const began = new Map<string, number>();
        const busy = new Set<string>();
        for (const { key, at, after, priority } of adds) {
          clock.after(at, () => {
            added.set(key, clock.now());
            queue.add(key, { after, priority });
          });
        }
        let count = 0;
        const work = async (): Promise<void> => {
          for (let key; (key = await queue.take()) !== undefined; queue.done(key)) {
            expect(busy.has(key)).toBe(false);
            busy.add(key);
            began.set(key, clock.now());
            const { time, fails } = runs[count++ % runs.length] ?? { time: 0, fails: false };
            await clock.sleep(time);
            busy.delete(key);
            if (fails && count < 200) queue.retry(key);
            else queue.forget(key);
          }
        };
        const all = Array.from({ length: workers }, work);
        await clock.advance(1_000_000_000);
        for (const [key, time] of added) expect(began.get(key)).toBeGreaterThanOrEqual(time);
        expect([queue.depth, queue.delayed, queue.inWork.size]).toEqual([0, 0, 0]);
        await queue.close();
        await Promise.all(all);
      },
    ),
    runs(60),
  );
});
