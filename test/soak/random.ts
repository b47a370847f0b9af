import type { Random } from '../../runtime/clock/clock.ts';

/** One of several. */
export function oneOf<T>(random: Random, all: readonly [T, ...T[]]): T {
  return all[Math.floor(random() * all.length)] ?? all[0];
}

/** A whole number from `from` to `to`. */
export const between = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));
