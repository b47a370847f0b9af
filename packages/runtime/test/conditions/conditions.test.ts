import { expect, test } from '@jest/globals';
import {
  findCondition,
  isConditionTrue,
  setCondition,
  withoutCondition,
  type ConditionInput,
} from '../../conditions/conditions.ts';
import type { Condition } from '@tenantry/crd/schema/language';

const first = new Date('2026-01-01T10:00:00.123Z');
const later = new Date('2026-01-01T11:00:00.456Z');
const ready: ConditionInput = {
  type: 'Ready',
  status: 'True',
  reason: 'AsDeclared',
  message: 'all is there',
  observedGeneration: 1,
};
const set = (overrides: Partial<ConditionInput>, before?: readonly Condition[], date = later) =>
  setCondition(before, { ...ready, ...overrides }, date);
const before = set({}, undefined, first);

test('a new condition has the current time, in whole seconds', () => {
  expect(before).toEqual([{ ...ready, lastTransitionTime: '2026-01-01T10:00:00Z' }]);
});

test('an unchanged condition returns the same list, however late it is set', () => {
  expect(set({}, before)).toBe(before);
});

test('a change of the status is a transition', () => {
  const [after] = set({ status: 'False', reason: 'Broken' }, before);
  expect(after).toMatchObject({ status: 'False', lastTransitionTime: '2026-01-01T11:00:00Z' });
});

test.each([{ reason: 'Other' }, { message: 'other' }, { observedGeneration: 2 }])(
  '%j is a change, and not a transition',
  (overrides) => {
    const after = set(overrides, before);
    expect(after).not.toBe(before);
    expect(after).toEqual([{ ...before[0], ...overrides }]);
  },
);

test('a generation that is no longer set is removed', () => {
  const { observedGeneration: _, ...unsaid } = ready;
  const [after] = setCondition(before, unsaid, later);
  expect(after).not.toHaveProperty('observedGeneration');
  expect(after?.lastTransitionTime).toBe('2026-01-01T10:00:00Z');
});

test('other conditions stay in their order, and a new type comes last', () => {
  const three = set({ type: 'C' }, set({ type: 'B' }, set({ type: 'A' })));
  const after = set({ type: 'B', status: 'Unknown' }, three);
  expect(after.map(({ type }) => type)).toEqual(['A', 'B', 'C']);
  expect([after[0], after[2]]).toEqual([three[0], three[2]]);
  expect(after[0]).toBe(three[0]);
  expect(three.map(({ status }) => status)).toEqual(['True', 'True', 'True']);
});

test('removing a condition keeps the others, and removing a missing one keeps the list', () => {
  const two = set({ type: 'B' }, before);
  expect(withoutCondition(two, 'Ready').map(({ type }) => type)).toEqual(['B']);
  expect(withoutCondition(two, 'Other')).toBe(two);
  expect(withoutCondition(undefined, 'Ready')).toEqual([]);
});

test('a condition counts as true only if its status is True', () => {
  const conditions = set(
    { type: 'Unsure', status: 'Unknown' },
    set({ type: 'Off', status: 'False' }, before),
  );
  expect(
    ['Ready', 'Off', 'Unsure', 'Unsaid'].map((type) => isConditionTrue(conditions, type)),
  ).toEqual([true, false, false, false]);
  expect(isConditionTrue(undefined, 'Ready')).toBe(false);
  expect(findCondition(conditions, 'Off')?.status).toBe('False');
  expect(findCondition(conditions, 'Unsaid')).toBeUndefined();
});

test.each([
  [{ type: 'not ready' }, 'the condition not ready: type must'],
  [{ type: '' }, 'the condition : type must'],
  [{ type: `a.b/${'x'.repeat(320)}` }, 'type must'],
  [{ reason: '' }, 'the condition Ready: reason must'],
  [{ reason: 'not found' }, "got 'not found'"],
  [{ reason: '404' }, "got '404'"],
  [{ reason: 'x'.repeat(1025) }, 'reason must'],
  [{ observedGeneration: -1 }, 'observedGeneration must'],
])('%j is refused', (overrides, message) => {
  expect(() => set(overrides)).toThrow(message);
});

test.each([{ type: 'shop.example.com/Open' }, { reason: 'A:b,c_1' }, { reason: 'x'.repeat(1024) }])(
  '%j is allowed',
  (overrides) => {
    expect(set(overrides)).toHaveLength(1);
  },
);

test('a message that is too long for the server is cut between characters, and setting it again changes nothing', () => {
  const fits = '\u{1F40B}'.repeat(32_768);
  expect(set({ message: fits })[0]?.message).toBe(fits);
  const cut = set({ message: `${fits}!` });
  expect(cut[0]?.message).toBe(`${'\u{1F40B}'.repeat(32_765)}...`);
  expect(set({ message: `${fits}!` }, cut)).toBe(cut);
});
