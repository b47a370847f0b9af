import { expect, test } from '@jest/globals';
import {
  HealAttempts,
  MAX_HEALINGS,
  FIGHT_WINDOW,
  GracePeriods,
} from '../../../operator/heal/attempts.ts';
import { GITOPS_GRACE } from '../../../operator/heal/healer.ts';

const goal = { tenant: 'pay', key: '/ResourceQuota a/quota', object: { pods: '1' } };
const refused = { reason: 'HealRefused', message: 'no' } as const;
const fight = { reason: 'Fought', message: 'again' } as const;
const minute = 60_000;

test('a refused heal is retried after doubled delays, up to ten minutes', () => {
  const attempts = new HealAttempts();
  const waits = Array.from({ length: 9 }, () => {
    attempts.recordFailed(goal, 0, refused);
    return attempts.remaining(goal, 0);
  });
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600].map((seconds) => seconds * 1000));
  expect(attempts.problem(goal)).toBe(refused);
  expect(attempts.remaining(goal, 600_000)).toBe(0);
});

test('repeated healing pauses for a minute, then for doubled times up to an hour', () => {
  const attempts = new HealAttempts();
  let now = 0;
  const truces: number[] = [];
  for (let i = 0; i < MAX_HEALINGS + 7; i += 1) {
    attempts.recordHealed(goal, now, fight);
    const left = attempts.remaining(goal, now);
    truces.push(left / minute);
    now += left + 1;
  }
  expect(truces).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
});

test('occasional healing is no fight', () => {
  const attempts = new HealAttempts();
  for (let i = 0; i < 3 * MAX_HEALINGS; i += 1) {
    attempts.recordHealed(goal, i * FIGHT_WINDOW, fight);
    expect(attempts.problem(goal)).toBeUndefined();
  }
});

test('a changed declaration resets the delays, and so does a recreated tenant, and others keep theirs', () => {
  const attempts = new HealAttempts();
  const other = { ...goal, tenant: 'pay-too' };
  for (const one of [goal, other]) attempts.recordFailed(one, 0, refused);
  expect(attempts.remaining({ ...goal, object: { pods: '2' } }, 0)).toBe(0);
  attempts.forget('pay');
  expect([attempts.remaining(goal, 0), attempts.remaining(other, 0)]).toEqual([0, 5_000]);
});

test('a recorded fight continues when it is recalled', () => {
  const attempts = new HealAttempts();
  for (let i = 0; i < MAX_HEALINGS + 1; i += 1) attempts.recordHealed(goal, 0, fight);
  const fights = attempts.fights('pay', 30_000);
  expect(fights).toEqual([
    expect.objectContaining({ key: goal.key, healed: MAX_HEALINGS + 1, left: 90_000 }),
  ]);
  const next = new HealAttempts();
  next.recall('pay', fights, 500);
  expect([next.remaining(goal, 500), next.problem(goal)?.reason]).toEqual([90_000, 'Fought']);
  expect(next.remaining({ ...goal, object: { pods: '2' } }, 500)).toBe(0);
  next.recordHealed(goal, 90_500, fight);
  expect(next.fights('pay', 90_500)).toEqual([
    expect.objectContaining({ healed: MAX_HEALINGS + 2, left: 4 * minute }),
  ]);
  // Recalling a status does not replace newer knowledge, and an old fight is not recalled.
  next.recall('pay', fights, 90_500);
  expect(next.remaining(goal, 90_500)).toBe(4 * minute);
  const late = new HealAttempts();
  late.recall('pay', [{ ...fights[0]!, left: -FIGHT_WINDOW }], 0);
  expect(late.fights('pay', 0)).toEqual([]);
});

test('a missing object may be created after a delay, which starts when it is first missed', () => {
  const absences = new GracePeriods(GITOPS_GRACE);
  absences.observe('acme', ['a'], 1_000);
  expect(absences.remaining('acme', 'a', 1_000)).toBe(GITOPS_GRACE);
  absences.observe('acme', ['a', 'b'], 4_000);
  expect(absences.remaining('acme', 'a', 4_000)).toBe(GITOPS_GRACE - 3_000);
  expect(absences.remaining('acme', 'b', 4_000)).toBe(GITOPS_GRACE);
  expect(absences.remaining('acme', 'a', 1_000 + GITOPS_GRACE)).toBe(0);
  expect(absences.remaining('bolt', 'a', 4_000)).toBe(0);
});

test('an object that returned in between starts a new delay, and a deleted tenant is forgotten', () => {
  const absences = new GracePeriods(GITOPS_GRACE);
  absences.observe('acme', ['a'], 1_000);
  absences.observe('acme', [], 2_000);
  absences.observe('acme', ['a'], 9_000);
  expect(absences.remaining('acme', 'a', 9_000)).toBe(GITOPS_GRACE);
  absences.forget('acme');
  expect(absences.remaining('acme', 'a', 9_000)).toBe(0);
});
