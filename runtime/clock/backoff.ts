import type { Random } from './clock.ts';

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
