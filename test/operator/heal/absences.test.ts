import { expect, test } from '@jest/globals';
import { Absences, PRECEDENCE } from '../../../operator/heal/absences.ts';

test('what is missing may be made after a while, which begins when it is missed first', () => {
  const absences = new Absences();
  absences.see('acme', ['a'], 1_000);
  expect(absences.left('acme', 'a', 1_000)).toBe(PRECEDENCE);
  absences.see('acme', ['a', 'b'], 4_000);
  expect(absences.left('acme', 'a', 4_000)).toBe(PRECEDENCE - 3_000);
  expect(absences.left('acme', 'b', 4_000)).toBe(PRECEDENCE);
  expect(absences.left('acme', 'a', 1_000 + PRECEDENCE)).toBe(0);
  expect(absences.left('bolt', 'a', 4_000)).toBe(0);
});

test('what was there again in between is missed anew, and a tenant that is gone is forgotten', () => {
  const absences = new Absences();
  absences.see('acme', ['a'], 1_000);
  absences.see('acme', [], 2_000);
  absences.see('acme', ['a'], 9_000);
  expect(absences.left('acme', 'a', 9_000)).toBe(PRECEDENCE);
  absences.forget('acme');
  expect(absences.left('acme', 'a', 9_000)).toBe(0);
});
