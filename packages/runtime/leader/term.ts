import type { Clock } from '../clock/clock.ts';
import { LeadershipLost } from './leader-election.ts';

interface Attempt {
  readonly began: Moment;
  readonly controller: AbortController;
}

/**
 * A period of leadership, from the acquisition of the lock until it is not certain any more.
 *
 * Its signal aborts at the renew deadline. A blocked event loop may have missed a renewal or an attempt. The signal
 * then waits for the duration of an attempt, but at most for half of the time that is left to the others.
 * `isWithinDeadline` does not wait. After a suspension of the machine, the signal aborts within a quarter of the retry
 * period.
 */
export class Term {
  readonly #clock: Clock;
  readonly #timing: Timing;
  readonly #name: string;
  readonly #ended = new AbortController();
  #renewed: Moment;
  #attempt: Attempt | undefined;
  #failure: unknown;
  /** Until then, answers that arrived while the loop was blocked are processed first. */
  #patientUntil = -Infinity;
  #cancel: () => void = () => {};

  constructor(name: string, clock: Clock, timing: Timing, began: Moment) {
    this.#name = name;
    this.#clock = clock;
    this.#timing = timing;
    this.#renewed = began;
    this.#wait();
  }

  /** Aborts with a `LeadershipLost`, or with the first reason of `end`. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Whether a write may start now, even if timers are late. */
  isWithinDeadline(): boolean {
    return !this.signal.aborted && this.#age < this.#timing.renewDeadline;
  }

  /** Begins an attempt to renew. Returns a signal that aborts with the term, or when the attempt takes too long. */
  beginAttempt(began: Moment): AbortSignal {
    const controller = new AbortController();
    this.#attempt = { began, controller };
    if (this.signal.aborted) controller.abort(this.signal.reason);
    return controller.signal;
  }

  /** Records that the attempt that began then succeeded. */
  recordRenewal(began: Moment): void {
    this.#attempt = undefined;
    this.#renewed = began;
    this.#failure = undefined;
    this.#patientUntil = -Infinity;
    this.#wait();
  }

  /** Records a failed attempt, after which the holder is not known. */
  recordFailure(error: unknown): void {
    this.#attempt = undefined;
    this.#failure = error;
  }

  end(reason: unknown): void {
    this.#cancel();
    this.#ended.abort(reason);
    this.#attempt?.controller.abort(reason);
  }

  get #age(): number {
    return millisecondsSince(this.#clock, this.#renewed);
  }

  /** Checks often enough to notice a blocked loop. */
  #wait(): void {
    this.#cancel();
    if (this.signal.aborted) return;
    const now = this.#clock.now();
    const { renewDeadline } = this.#timing;
    const remainingPatience = now < this.#patientUntil ? this.#patientUntil - now : Infinity;
    const rest = (remainingPatience < Infinity ? this.#maxAge : renewDeadline) - this.#age;
    const delay = Math.max(1, Math.min(this.#step, rest, remainingPatience));
    const due = now + delay;
    this.#cancel = this.#clock.after(delay, () => this.#checkDeadline(this.#clock.now() - due));
  }

  get #step(): number {
    return this.#timing.retryPeriod / 4;
  }

  /** The age at which the term ends in any case. */
  get #maxAge(): number {
    const { leaseDuration, renewDeadline } = this.#timing;
    return (renewDeadline + leaseDuration) / 2;
  }

  #checkDeadline(late: number): void {
    const { renewDeadline, retryPeriod } = this.#timing;
    const now = this.#clock.now();
    if (late > this.#step) this.#patientUntil = now + retryPeriod;
    const isPatient = now < this.#patientUntil;
    if (this.#age >= (isPatient ? this.#maxAge : renewDeadline)) {
      const message = `${this.#name} was not renewed for ${Math.round(this.#age)} ms`;
      return this.end(new LeadershipLost(message, this.#failure));
    }
    if (this.#attempt) this.#endIfSlow(this.#attempt);
    this.#wait();
  }

  #endIfSlow({ began, controller }: Attempt): void {
    if (millisecondsSince(this.#clock, began) < this.#timing.renewDeadline / 2) return;
    controller.abort(new Error(`${this.#name}: no answer in ${this.#timing.renewDeadline / 2} ms`));
  }
}

/** The durations of an election. */
export interface TimingProps {
  /**
   * Milliseconds for which no other replica takes the lead, since it last saw a renewal. Whole seconds, as in a Lease.
   * @default 15,000
   */
  readonly leaseDuration?: number | undefined;
  /**
   * Milliseconds for which the leader relies on the lock, since the start of its last successful renewal.
   * @default 10,000
   */
  readonly renewDeadline?: number | undefined;
  /** Milliseconds between attempts. @default 2,000 */
  readonly retryPeriod?: number | undefined;
}

/** The resolved durations, in milliseconds. */
export interface Timing {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** @throws {RangeError} if the durations leave no time for each other */
export function resolveTiming(
  props: TimingProps,
  defaults: Timing = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 },
): Timing {
  const { leaseDuration = defaults.leaseDuration } = props;
  const { renewDeadline = defaults.renewDeadline, retryPeriod = defaults.retryPeriod } = props;
  const must = (holds: boolean, name: string, what: string, got: number): void => {
    if (!holds) throw new RangeError(`${name} must be ${what}, got ${got}`);
  };
  const seconds = leaseDuration / 1000;
  must(Number.isInteger(seconds) && seconds >= 1, 'leaseDuration', 'whole seconds', leaseDuration);
  const longest = `above 0 and below the leaseDuration of ${leaseDuration} ms`;
  must(renewDeadline > 0 && renewDeadline < leaseDuration, 'renewDeadline', longest, renewDeadline);
  const half = `above 0 and at most half of the renewDeadline of ${renewDeadline} ms`;
  must(retryPeriod > 0 && retryPeriod <= renewDeadline / 2, 'retryPeriod', half, retryPeriod);
  return { leaseDuration, renewDeadline, retryPeriod };
}

/** A point in time of this process. */
export interface Moment {
  readonly monotonic: number;
  readonly date: number;
}

export function captureMoment(clock: Clock): Moment {
  return { monotonic: clock.now(), date: clock.date().getTime() };
}

/**
 * Returns at least the milliseconds that have passed since. After a suspension of the machine only the date has
 * advanced. A date that is set forward makes the result too large; one that is set back has no effect. So it shows what
 * may have expired, not what surely has.
 */
export function millisecondsSince(clock: Clock, { monotonic, date }: Moment): number {
  return Math.max(clock.now() - monotonic, clock.date().getTime() - date);
}
