import type { Random } from '@tenantry/runtime/clock/clock';

/**
 * Returns a random number generator that gives the same numbers for the same seed (splitmix32). Use it
 * for the `random` option of the code under test, so that a failure can be reproduced.
 *
 * @example
 * ```ts
 * import { seededRandom } from '@tenantry/testing';
 *
 * const [one, other] = [seededRandom(7), seededRandom(7)];
 * console.log(one() === other(), one() === one()); // true false
 * ```
 *
 * @param seed a whole number, of which the last 32 bits count
 */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
}

/** The error of a choice from an empty list. */
export class NothingToPick extends Error {
  constructor() {
    super('there is nothing to pick from');
    this.name = 'NothingToPick';
  }
}

/** Random choices. */
export interface Chance {
  /** Returns a number from 0 up to, not including, 1. */
  readonly random: Random;
  /** Returns a whole number between both, inclusive. */
  whole(from: number, to: number): number;
  /** Returns one of the items. It throws for an empty list, and then an action does nothing. */
  pick<T>(from: readonly T[]): T;
  /** Returns true with this probability. */
  happens(part: number): boolean;
}

export function createChance(random: Random): Chance {
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  return {
    random,
    whole,
    happens: (part) => random() < part,
    pick: (from) => {
      const [one] = from.slice(whole(0, from.length - 1));
      if (one === undefined) throw new NothingToPick();
      return one;
    },
  };
}

/** Derives a seed for each purpose, so that the choices of one do not affect another. */
export function deriveSeed(seed: number, purpose: string): number {
  let mixed = seed | 0;
  for (const letter of purpose) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193);
  return mixed >>> 0;
}
