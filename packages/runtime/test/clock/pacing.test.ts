import { expect, test } from '@jest/globals';
import { TokenBucket } from '../../clock/pacing.ts';

const times = (count: number, take: () => boolean): boolean[] =>
  Array.from({ length: count }, take);

test('a burst is allowed at once, and then one call an interval', () => {
  const allowance = new TokenBucket({ burst: 2, every: 100 }, 1000);
  expect(times(3, () => allowance.take(1000))).toEqual([true, true, false]);
  expect([1099, 1100, 1101, 1199, 1200].map((now) => allowance.take(now))).toEqual([
    false,
    true,
    false,
    false,
    true,
  ]);
});

test('unused calls accumulate up to the burst, and no further', () => {
  const allowance = new TokenBucket({ burst: 2, every: 100 }, 0);
  expect(times(3, () => allowance.take(1_000_000))).toEqual([true, true, false]);
});
