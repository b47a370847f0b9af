import type { Random } from '../clock/clock.ts';

/** Milliseconds of the first delay, and of the longest. */
const first = 500;
const longest = 30_000;

/** Growing delays between attempts, so that many programs do not come back at the same moment. */
export class Backoff {
  readonly #random: Random;
  #failures = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** How many delays there were since the last success. */
  get failures(): number {
    return this.#failures;
  }

  /** 0.5 s, 1 s, 2 s and so on up to 30 s, each shortened by up to a half. */
  next(): number {
    const delay = Math.min(first * 2 ** this.#failures, longest);
    this.#failures += 1;
    return delay * (1 - this.#random() / 2);
  }

  succeeded(): void {
    this.#failures = 0;
  }
}
