import type { Random } from '../../runtime/clock/clock.ts';

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
