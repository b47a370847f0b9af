import type { Random, Clock } from './clock.ts';

/** How delays grow after failures. */
export interface BackoffProps {
  /** Milliseconds after the first failure. @default 5 */
  readonly first?: number | undefined;
  /** The most milliseconds. @default 1,000,000 (a little over 16 minutes) */
  readonly longest?: number | undefined;
}

/**
 * Exponential backoff: the delay doubles with each consecutive failure, up to a limit. The actual delay is a random
 * value from half of it to all of it, so that operations that failed together are not retried together.
 */
export class Backoff {
  readonly #random: Random;
  readonly #first: number;
  readonly #longest: number;

  constructor(random: Random, { first = 5, longest = 1_000_000 }: BackoffProps = {}) {
    this.#random = random;
    this.#first = first;
    this.#longest = longest;
  }

  /** Returns milliseconds; `failures` is at least 1. */
  delayAfter(failures: number): number {
    const full = Math.min(this.#first * 2 ** (failures - 1), this.#longest);
    return full * (1 - this.#random() / 2);
  }
}

interface TokenBucketProps {
  /** The size of a burst. */
  readonly burst: number;
  /** Milliseconds after which one more is allowed, up to the burst. */
  readonly every: number;
}

/** A rate limit as a token bucket: a burst, and one per interval in the long run. It never blocks. */
export class TokenBucket {
  readonly #props: TokenBucketProps;
  #left: number;
  #at: number;

  /** The bucket starts full. `now` is the time of a clock, as in `take`. */
  constructor(props: TokenBucketProps, now: number) {
    this.#props = props;
    this.#left = props.burst;
    this.#at = now;
  }

  /** Takes a token, and returns whether there was one. */
  take(now: number): boolean {
    const { burst, every } = this.#props;
    this.#left = Math.min(burst, this.#left + (now - this.#at) / every);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** The most milliseconds of work without a pause. */
const sliceDuration = 10;

/** Cuts long work into slices, so that leases are renewed and probes answered meanwhile. */
export class TimeSlice {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #since: number;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    this.#since = clock.now();
  }

  /** Whether the slice has taken 10 ms. */
  get isOver(): boolean {
    return this.#clock.now() - this.#since >= sliceDuration;
  }

  /** Lets everything else run that is due, then begins a new slice. Rejects once the signal has aborted. */
  async yieldToOthers(): Promise<void> {
    await this.#clock.sleep(0, this.#signal);
    this.#since = this.#clock.now();
  }
}
