import { createSleep, type Clock } from '@tenantry/runtime/clock/clock';

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** The most timers in one `advance`; more are a loop that never waits. */
const mostTimers = 1_000_000;

/**
 * A clock for tests, which moves only when `advance` is called.
 *
 * @example
 * ```ts
 * import { VirtualClock } from '@tenantry/testing';
 *
 * const clock = new VirtualClock();
 * const slept = clock.sleep(3_600_000);
 * await clock.advance(3_600_000); // in no time
 * await slept;
 * console.log(clock.date().toISOString()); // 2026-01-01T01:00:00.000Z
 * ```
 */
export class VirtualClock implements Clock {
  #now = 0;
  readonly #start: number;
  readonly #timers: Timer[] = [];
  readonly sleep: Clock['sleep'] = createSleep((milliseconds, run) =>
    this.after(milliseconds, run),
  );

  /** @default - it begins at 2026-01-01T00:00:00Z */
  constructor(start: Date = new Date('2026-01-01T00:00:00Z')) {
    this.#start = start.getTime();
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#start + this.#now);
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer: Timer = { due: this.#now + Math.max(milliseconds, 0), run };
    const later = this.#timers.findIndex(({ due }) => due > timer.due);
    this.#timers.splice(later < 0 ? this.#timers.length : later, 0, timer);
    return () => {
      const at = this.#timers.indexOf(timer);
      if (at >= 0) this.#timers.splice(at, 1);
    };
  }

  /** The number of pending timers: 0 after a test shows that no timer leaked. */
  get waiting(): number {
    return this.#timers.length;
  }

  /**
   * Advances the clock by so many milliseconds. Due timers run in the order of their due times, those
   * of the same moment in the order in which they were set, each at its own time. Timers that they set
   * run too when they become due. Before and after each timer, promises settle. Rejects with what a
   * timer throws.
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (let count = 0; ; count += 1) {
      const [next] = this.#timers;
      if (next === undefined || next.due > end) break;
      if (count === mostTimers) throw new Error(`more than ${mostTimers} timers: one never waits`);
      this.#timers.shift();
      this.#now = next.due;
      next.run();
      await settle();
    }
    this.#now = end;
  }
}

/** Resolves when every promise that can settle without time or input has settled. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
