import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seededRandom } from '../../simulation/random.ts';

const draw = (seed: number, count: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, random);
};

test('a seed gives the same numbers each time, from 0 to 1 without 1 itself', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const drawn = draw(seed, 50);
      expect(draw(seed, 50)).toEqual(drawn);
      expect(drawn.filter((one) => !(one >= 0 && one < 1))).toEqual([]);
    }),
  );
});

test('other seeds give other numbers, and all of them are evenly distributed', () => {
  expect(new Set(Array.from({ length: 1000 }, (_, seed) => draw(seed, 1)[0])).size).toBe(1000);
  const tenths = Array.from({ length: 10 }, () => 0);
  for (const one of draw(7, 100_000)) tenths[Math.floor(one * 10)]! += 1;
  // Twelve standard deviations.
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(1200);
});
