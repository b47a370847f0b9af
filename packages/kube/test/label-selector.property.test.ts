import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matchesLabels, parseLabelSelector, type Requirement } from '../label-selector.ts';
import { runs } from './yaml/runs.ts';

const key = fc.constantFrom('app', 'in', 'notin', 'example.com/tier', 'a.b_c-d');
const value = fc.constantFrom('', 'shop', 'a.b_c-d', 'in', '1');
const space = fc.constantFrom('', ' ', '  ');

const condition = fc.oneof<fc.Arbitrary<[string, Requirement]>[]>(
  fc.tuple(key, space).map(([key, gap]) => [`${gap}${key}${gap}`, { key, operator: 'Exists' }]),
  fc.tuple(key, space).map(([key, gap]) => [`!${gap}${key}`, { key, operator: 'DoesNotExist' }]),
  fc
    .tuple(key, fc.constantFrom('=', '==', '!='), value, space)
    .map(([key, sign, value, gap]) => [
      `${key}${gap}${sign}${gap}${value}`,
      { key, operator: sign === '!=' ? 'NotIn' : 'In', values: [value] },
    ]),
  fc
    .tuple(key, fc.boolean(), fc.array(value, { minLength: 1, maxLength: 3 }), space)
    .map(([key, isIn, values, gap]) => [
      `${key} ${isIn ? 'in' : 'notin'}${gap}(${gap}${values.join(`${gap},${gap}`)}${gap})`,
      { key, operator: isIn ? 'In' : 'NotIn', values },
    ]),
);

test('a selector in one line is read as the requirements that it was written from', () => {
  const property = fc.property(
    fc.array(condition, { minLength: 1, maxLength: 4 }),
    (conditions) => {
      const text = conditions.map(([text]) => text).join(',');
      const matchExpressions = conditions.map(([, requirement]) => requirement);
      expect(parseLabelSelector(text)).toEqual({ matchExpressions });
    },
  );
  fc.assert(property, runs(100));
});

test('an empty selector selects everything', () => {
  expect(['', '  '].map((text) => matchesLabels(parseLabelSelector(text), {}))).toEqual([
    true,
    true,
  ]);
});

test('an invalid requirement is refused, and shown', () => {
  for (const text of ['a=b,', ',', 'a=b c', 'a in b', 'a>1', 'a=b!', '!a=b', 'a,,b']) {
    expect(() => parseLabelSelector(text)).toThrow(/^a label selector must be conditions such as/);
  }
  expect(() => parseLabelSelector('app=shop,tier>2')).toThrow(/, got 'tier>2'$/);
  expect(() => parseLabelSelector('-a=b')).toThrow(/, got '-a=b'$/);
  expect(() => parseLabelSelector('a=b/c')).toThrow(/, got 'a=b\/c'$/);
});
