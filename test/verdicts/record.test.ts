import { expect, test } from '@jest/globals';
import { RecordedVerdicts } from './record.ts';

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');

test('a case has the verdict of the newest minor version, and another one if it differs', () => {
  const empty = RecordedVerdicts.parse('');
  const answers = (b: unknown) =>
    new Map<string, unknown>([
      ['b', b],
      ['a', 'takes'],
    ]);
  const both = empty.with('1.36', answers('takes')).with('1.35', answers({ refuses: ['x'] }));
  expect(both.toString()).toBe(
    lines('{"case":"a","1.36":"takes"}', '{"case":"b","1.36":"takes","1.35":{"refuses":["x"]}}'),
  );
  expect(RecordedVerdicts.parse(both.toString()).toString()).toBe(both.toString());
  expect([both.of('b', '1.36'), both.of('b', '1.35')]).toEqual(['takes', { refuses: ['x'] }]);
  expect(both.of('a', '1.35')).toBe('takes');
});

test('recording one minor version again keeps the verdicts of the others', () => {
  const before = RecordedVerdicts.parse(lines('{"case":"a","1.36":"takes"}'));
  const after = before.with('1.36', new Map([['a', 'refuses']]));
  expect(after.toString()).toBe(lines('{"case":"a","1.36":"refuses","1.35":"takes"}'));
});

test('a removed case leaves the record, and a new case has no verdict of another minor version', () => {
  const before = RecordedVerdicts.parse(lines('{"case":"a","1.36":"takes"}'));
  const after = before.with('1.35', new Map([['b', 'takes']]));
  expect(after.cases).toEqual(['b']);
  expect([after.of('a', '1.36'), after.of('b', '1.36')]).toEqual([undefined, undefined]);
});
