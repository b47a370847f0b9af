import type { Clock } from '../../runtime/clock/clock.ts';
import { createSleep } from '../../runtime/clock/sleep.ts';

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** So many timers in one `advance` are a loop that never waits. */
const mostTimers = 1_000_000;

/**
 * A clock for tests, which stands still until it is told to advance.
 *
 * @example
 * ```ts
 * import { VirtualClock } from 'tenantry/testing';
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

  /** How many wait: 0 says that nothing was left behind. */
  get waiting(): number {
    return this.#timers.length;
  }

  /**
   * Lets so many milliseconds pass. What is due runs in the order in which it is due, of the same
   * moment in the order in which it was asked for, each at its own time; what it sets off is due in
   * turn. Before and after each, promises settle. What a timer throws rejects.
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

/** Every promise that can go on without time or input has gone on when an immediate runs. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
