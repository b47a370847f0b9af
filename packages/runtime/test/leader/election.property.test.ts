import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { Candidate } from './candidate.ts';
import { LeaseNetwork, type CallOutcome } from './lease-network.ts';

const outcome: fc.Arbitrary<CallOutcome> = fc.record({
  there: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20_000 })),
  back: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20_000 })),
  lost: fc.constantFrom(undefined, undefined, undefined, 'request' as const, 'answer' as const),
  isRefused: fc.constantFrom(false, false, false, true),
});

const quick: fc.Arbitrary<CallOutcome> = fc.record({
  there: fc.integer({ min: 0, max: 20 }),
  back: fc.integer({ min: 0, max: 20 }),
});

const what = ['stall', 'stall', 'stall', 'cut', 'cut', 'kill', 'stop', 'label', 'suspend'] as const;
const who = fc.nat(2);
const event = fc.record({
  after: fc.integer({ min: 0, max: 12_000 }),
  who,
  what: fc.constantFrom(...what),
  milliseconds: fc.integer({ min: 0, max: 25_000 }),
});
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

const scene = fc.record({
  rates: fc.tuple(...[0, 1, 2].map(() => fc.double({ min: 0.92, max: 1.08, noNaN: true }))),
  skews: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -1e8, max: 1e8 }))),
  jitter: fc.array(fc.double({ min: 0, max: 0.99, noNaN: true }), { minLength: 5, maxLength: 5 }),
  drain: fc.constantFrom(0, 3000, 20_000),
  fates: fc.array(fc.oneof({ weight: 3, arbitrary: quick }, { weight: 1, arbitrary: outcome }), {
    minLength: 7,
    maxLength: 40,
  }),
  events: fc.array(event, { minLength: 1, maxLength: 15 }),
});
type Scene = typeof scene extends fc.Arbitrary<infer S> ? S : never;

/** Returns the values of an array in turn, forever. */
function inTurn<T>(values: readonly T[]): () => T {
  let at = 0;
  return () => values[at++ % values.length]!;
}

class World {
  readonly time = new VirtualClock();
  readonly server = new LeaseNetwork(this.time);
  readonly candidates: readonly Candidate[];
  readonly violations: string[] = [];
  /** Whether the process was suspended; its signal then aborts a moment later. */
  hasSlept = false;

  constructor({
    rates,
    skews,
    jitter,
    drain,
  }: Pick<Scene, 'rates' | 'skews' | 'jitter' | 'drain'>) {
    const { time, server } = this;
    const random = inTurn(jitter);
    const began = (): void => this.look();
    this.candidates = ['a', 'b', 'c'].map((name, i) => {
      const own = { name, rate: rates[i] ?? 1, skew: skews[i] ?? 0 };
      return new Candidate({ time, server, random, drain, began, ...own });
    });
    server.stored = began;
    for (const candidate of this.candidates) candidate.start();
  }

  look(): void {
    for (const { running, name } of this.candidates ?? []) {
      if (running > 1) this.violations.push(`${name} runs twice at ${this.time.now()}`);
    }
    for (const ask of this.hasSlept ? (['isSure'] as const) : (['leads', 'isSure'] as const)) {
      const who = this.candidates.filter((one) => one[ask]).map(({ name }) => name);
      if (who.length > 1) this.violations.push(`${ask} at ${this.time.now()}: ${who.join(', ')}`);
    }
  }

  async pass(milliseconds: number): Promise<void> {
    for (let rest = milliseconds; rest > 0; rest -= 100) {
      await this.time.advance(Math.min(rest, 100));
      this.look();
    }
  }

  do({ who, what, milliseconds }: Event): void {
    const candidate = this.candidates[who]!;
    if (what === 'stall') candidate.clock.stall(milliseconds);
    else if (what === 'suspend') {
      candidate.clock.suspend(milliseconds);
      this.hasSlept = true;
    } else if (what === 'cut') candidate.cut(milliseconds);
    else if (what === 'kill') candidate.kill();
    else if (what === 'stop') candidate.stop();
    else this.server.label(String(this.time.now()));
  }

  get leaders(): string[] {
    return this.candidates.filter(({ leads }) => leads).map(({ name }) => name);
  }
}

test('two replicas never lead at once, whatever the network, the clocks and the processes do', async () => {
  let together = 0;
  await fc.assert(
    fc.asyncProperty(scene, async ({ fates, events, ...props }) => {
      const world = new World(props);
      world.server.decideOutcome = inTurn(fates);
      await world.pass(5_000);
      for (const event of events) {
        await world.pass(event.after);
        world.do(event);
      }
      expect(world.violations).toEqual([]);
      // From here on everything works, except for processes that have ended.
      world.server.decideOutcome = () => ({ there: 10, back: 10 });
      await world.pass(90_000);
      expect(world.violations).toEqual([]);
      const alive = world.candidates.filter(({ isRunning }) => isRunning);
      const stopping = events.some(({ what }) => what === 'stop');
      if (alive.length > 0 && !stopping) expect(world.leaders).toHaveLength(1);
      if (alive.length === 0) expect(world.leaders).toEqual([]);
      together += world.candidates.reduce((sum, { terms }) => sum + terms, 0);
    }),
    runs(80),
  );
  expect(together).toBeGreaterThan(80);
});
