import type { Random } from './clock.ts';

/** How delays grow after failures. */
export interface BackoffProps {
  /** Milliseconds after the first failure. @default 5 */
  readonly first?: number | undefined;
  /** Milliseconds that it never passes. @default 1,000,000 (a little over 16 minutes) */
  readonly longest?: number | undefined;
}

/**
 * How long to wait after failures in a row: twice as long each time, up to a limit. Of that between a
 * half and all is waited, by chance, so that what failed together does not come back together.
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

  /** Milliseconds; `failures` is at least 1. */
  delayAfter(failures: number): number {
    const full = Math.min(this.#first * 2 ** (failures - 1), this.#longest);
    return full * (1 - this.#random() / 2);
  }
}
