import { expect, test } from '@jest/globals';
import { percentile } from '../../../bench/runtime/race.ts';

test('a percentile is one of the values, and the right share is not above it', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile([7], 0.99)).toBe(7);
});

test('an empty list has no percentile', () => {
  expect(percentile([], 0.5)).toBeNaN();
});
