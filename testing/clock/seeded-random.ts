import type { Random } from '../../runtime/clock/clock.ts';

/**
 * Returns a random number generator that gives the same numbers for the same seed (splitmix32). Use it
 * for the `random` option of the code under test, so that a failure can be reproduced.
 *
 * @example
 * ```ts
 * import { seededRandom } from 'tenantry/testing';
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
