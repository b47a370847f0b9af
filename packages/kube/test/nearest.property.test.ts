import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findNearest } from '../problem.ts';
import { runs } from './yaml/runs.ts';

/**
 * Returns how many letters must be changed, inserted, deleted or swapped with the next one, no letter in two of these
 * ways (optimal string alignment).
 */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  if (a.at(-1) === b.at(-1)) return distance(a.slice(0, -1), b.slice(0, -1));
  const [shorterA, shorterB] = [a.slice(0, -1), b.slice(0, -1)];
  const isSwapped = a.length > 1 && a.at(-2) === b.at(-1) && a.at(-1) === b.at(-2);
  const swapped = isSwapped ? distance(a.slice(0, -2), b.slice(0, -2)) : Infinity;
  const fewest = [distance(shorterA, b), distance(a, shorterB), distance(shorterA, shorterB)];
  return 1 + Math.min(...fewest, swapped);
}

test('the suggestion is the first of the names with the fewest differing letters', () => {
  const seen = { meant: 0, none: 0 };
  const amount = runs(1000);
  const word = fc
    .array(fc.constantFrom('a', 'b', 'C'), { maxLength: 7 })
    .map((letters) => letters.join(''));
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 5 }), (name, known) => {
      const far = (one: string) => distance(name.toLowerCase(), one.toLowerCase());
      const least = Math.min(...known.map(far));
      const isNear = least <= Math.max(1, Math.floor(name.length / 3));
      expect(findNearest(name, known)).toBe(
        isNear ? known.find((one) => far(one) === least) : undefined,
      );
      seen[isNear ? 'meant' : 'none'] += 1;
    }),
    amount,
  );
  expect(Math.min(seen.meant, seen.none)).toBeGreaterThan(amount.numRuns / 10);
});
