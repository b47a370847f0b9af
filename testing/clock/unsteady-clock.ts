import type { Clock } from '../../runtime/clock/clock.ts';
import { createSleep } from '../../runtime/clock/sleep.ts';
import { systemClock } from '../../runtime/clock/system-clock.ts';

/** What it goes by. */
export interface UnsteadyClockProps {
  /** The clock that it goes by. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * How many of its milliseconds pass in one of the clock that it goes by: at 10 what waits for half
   * a minute is over in three seconds. @default 1
   */
  readonly rate?: number | undefined;
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
  cancel: () => void;
}

/** Milliseconds that are lost where numbers with a rate are added up. */
const rounding = 1e-6;

/**
 * A clock that does what clocks of machines do: it jumps, is set, and goes too fast.
 *
 * Nothing runs before it is due by this clock. What is due after a jump runs soon after it, in any
 * order, as after a suspended machine wakes up.
 *
 * @example
 * ```ts
 * import { UnsteadyClock } from 'tenantry/testing';
 *
 * const clock = new UnsteadyClock();
 * const slept = clock.sleep(60_000);
 * clock.jump(60_000);
 * await slept;
 * ```
 */
export class UnsteadyClock implements Clock {
  readonly #clock: Clock;
  readonly #rate: number;
  readonly #start: number;
  readonly #startDate: number;
  readonly #timers = new Set<Timer>();
  #jumped = 0;
  #set = 0;
  readonly sleep: Clock['sleep'] = createSleep((milliseconds, run) =>
    this.after(milliseconds, run),
  );

  /** @throws {RangeError} for a rate that is not above 0 */
  constructor({ clock = systemClock, rate = 1 }: UnsteadyClockProps = {}) {
    if (!(rate > 0)) throw new RangeError(`the rate must be above 0, got ${rate}`);
    this.#clock = clock;
    this.#rate = rate;
    this.#start = clock.now();
    this.#startDate = clock.date().getTime();
  }

  now(): number {
    return this.#start + (this.#clock.now() - this.#start) * this.#rate + this.#jumped;
  }

  date(): Date {
    return new Date(this.#startDate + (this.now() - this.#start) + this.#set);
  }

  /** How many wait: 0 says that nothing was left behind. */
  get waiting(): number {
    return this.#timers.size;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer: Timer = { due: this.now() + Math.max(0, milliseconds), run, cancel: () => {} };
    this.#timers.add(timer);
    this.#wait(timer);
    return () => {
      this.#timers.delete(timer);
      timer.cancel();
    };
  }

  /**
   * So many milliseconds are over at once, as when the machine was suspended: the date goes on with
   * them, and what is due runs.
   * @throws {RangeError} where it would go back, which no monotonic clock does
   */
  jump(milliseconds: number): void {
    if (!(milliseconds >= 0)) {
      throw new RangeError(`a jump must be milliseconds from 0 on, got ${milliseconds}`);
    }
    this.#jumped += milliseconds;
    for (const timer of this.#timers) {
      timer.cancel();
      this.#wait(timer);
    }
  }

  /** The date alone is put forward, or back below 0, by so many milliseconds: no timer notices. */
  putDate(milliseconds: number): void {
    this.#set += milliseconds;
  }

  #wait(timer: Timer): void {
    const rest = Math.max(0, timer.due - this.now()) / this.#rate;
    timer.cancel = this.#clock.after(rest, () => {
      if (this.now() + rounding < timer.due) return this.#wait(timer);
      this.#timers.delete(timer);
      timer.run();
    });
  }
}
