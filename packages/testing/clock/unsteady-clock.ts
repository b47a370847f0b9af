import { createSleep, systemClock, type Clock } from '@tenantry/runtime/clock/clock';

/** The properties of an `UnsteadyClock`. */
export interface UnsteadyClockProps {
  /** The clock that it follows. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * How many of its milliseconds pass in one millisecond of `clock`: at 10, a wait of half a minute
   * takes three seconds. @default 1
   */
  readonly rate?: number | undefined;
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
  cancel: () => void;
}

/** The rounding error, in milliseconds, of sums of numbers with a rate. */
const rounding = 1e-6;

/**
 * A clock that misbehaves as clocks of machines do: it jumps, its date is set, and it runs too fast.
 *
 * Nothing runs before it is due by this clock. What becomes due by a jump runs soon after it, in any
 * order, as after a suspended machine wakes up.
 *
 * @example
 * ```ts
 * import { UnsteadyClock } from '@tenantry/testing';
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

  /** The number of pending timers: 0 after a test shows that no timer leaked. */
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
   * Advances the clock by so many milliseconds at once, as when the machine was suspended: the date
   * advances too, and due timers run.
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

  /** Moves only the date by so many milliseconds, back where negative. Timers are not affected. */
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
