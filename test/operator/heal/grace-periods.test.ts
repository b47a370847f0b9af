import { expect, test } from '@jest/globals';
import { GracePeriods } from '../../../operator/heal/attempts.ts';
import { PRECEDENCE } from '../../../operator/heal/healer.ts';

test('a missing object may be created after a delay, which starts when it is first missed', () => {
  const absences = new GracePeriods(PRECEDENCE);
  absences.observe('acme', ['a'], 1_000);
  expect(absences.remaining('acme', 'a', 1_000)).toBe(PRECEDENCE);
  absences.observe('acme', ['a', 'b'], 4_000);
  expect(absences.remaining('acme', 'a', 4_000)).toBe(PRECEDENCE - 3_000);
  expect(absences.remaining('acme', 'b', 4_000)).toBe(PRECEDENCE);
  expect(absences.remaining('acme', 'a', 1_000 + PRECEDENCE)).toBe(0);
  expect(absences.remaining('bolt', 'a', 4_000)).toBe(0);
});

test('an object that returned in between starts a new delay, and a deleted tenant is forgotten', () => {
  const absences = new GracePeriods(PRECEDENCE);
  absences.observe('acme', ['a'], 1_000);
  absences.observe('acme', [], 2_000);
  absences.observe('acme', ['a'], 9_000);
  expect(absences.remaining('acme', 'a', 9_000)).toBe(PRECEDENCE);
  absences.forget('acme');
  expect(absences.remaining('acme', 'a', 9_000)).toBe(0);
});
