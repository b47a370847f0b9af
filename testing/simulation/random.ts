import type { Random } from '../../runtime/clock/clock.ts';

/** There was nothing to pick from. */
export class NothingToPick extends Error {
  constructor() {
    super('there is nothing to pick from');
    this.name = 'NothingToPick';
  }
}

/** What is drawn by chance, in words. */
export interface Chance {
  /** A number from 0 up to, not including, 1. */
  readonly random: Random;
  /** A whole number from one to the other, both included. */
  whole(from: number, to: number): number;
  /** One of them. Where there is none, it throws, and an action has nothing to do. */
  pick<T>(from: readonly T[]): T;
  /** Whether something happens that does so in that part of all cases. */
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

/** A seed of its own for each purpose, so that what one draws changes nothing for another. */
export function deriveSeed(seed: number, purpose: string): number {
  let mixed = seed | 0;
  for (const letter of purpose) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193);
  return mixed >>> 0;
}
