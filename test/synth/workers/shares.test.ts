import { expect, test } from '@jest/globals';
import { Shares } from '../../../synth/workers/pool.ts';

test('a share is done by one thread alone, and the program and workers come from both ends', () => {
  const shares = new Shares(5);
  const claimed = new Shares(5, shares.cells).claimed();
  expect(claimed.next().value).toBe(4);
  expect(shares.claim(4)).toBe(false);
  expect(shares.claim(0)).toBe(true);
  expect(claimed.next().value).toBe(3);
  expect(shares.claim(1)).toBe(true);
  expect(claimed.next().value).toBe(2);
  expect(claimed.next().done).toBe(true);
});

test('a worker goes on to the next window where the program has met it, and not further', () => {
  const shares = new Shares(24);
  const claimed = new Shares(24, shares.cells).claimed();
  const next = () => claimed.next().value as number;
  for (let share = 7; share >= 0; share--) expect(next()).toBe(share);
  for (let share = 15; share > 12; share--) expect(next()).toBe(share);
  for (let share = 8; share <= 12; share++) expect(shares.claim(share)).toBe(true);
  shares.reach(8);
  expect(next()).toBe(23);
});

test('nothing came of a share that failed, or that nobody ends in time', () => {
  const shares = new Shares(3);
  for (const share of [0, 1, 2]) shares.claim(share);
  shares.settle(0, true);
  shares.settle(1, false);
  expect([0, 1, 2].map((share) => shares.wait(share, 1))).toEqual([true, false, false]);
});
