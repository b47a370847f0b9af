import { expect, test } from '@jest/globals';
import type { JSONSchemaProps, ValidationRule } from '../../schema/json-schema.ts';
import { ofField } from './given.ts';

const text = (more: JSONSchemaProps): JSONSchemaProps => ({ type: 'string', ...more });
const [a, b, c] = [{ pattern: 'a' }, { pattern: 'b' }, { pattern: 'c' }];

test('an added branch of allOf is breaking, a removed one is compatible', () => {
  expect(ofField(text({}), text({ allOf: [a] }))).toEqual(['breaking all-of']);
  expect(ofField(text({ allOf: [a] }), text({ allOf: [a, b] }))).toEqual(['breaking all-of']);
  expect(ofField(text({ allOf: [a, b] }), text({ allOf: [b] }))).toEqual(['compatible all-of']);
  expect(ofField(text({ allOf: [a] }), text({}))).toEqual(['compatible all-of']);
});

test('a removed branch of anyOf is breaking, an added one is compatible', () => {
  expect(ofField(text({}), text({ anyOf: [a] }))).toEqual(['breaking any-of']);
  expect(ofField(text({ anyOf: [a, b] }), text({ anyOf: [a] }))).toEqual(['breaking any-of']);
  expect(ofField(text({ anyOf: [a] }), text({ anyOf: [a, b] }))).toEqual(['compatible any-of']);
  expect(ofField(text({ anyOf: [a] }), text({}))).toEqual(['compatible any-of']);
});

test('a removed branch of oneOf is breaking, an added one is unknown because a value may match two', () => {
  expect(ofField(text({}), text({ oneOf: [a] }))).toEqual(['breaking one-of']);
  expect(ofField(text({ oneOf: [a, b] }), text({ oneOf: [a] }))).toEqual(['breaking one-of']);
  expect(ofField(text({ oneOf: [a] }), text({ oneOf: [a, b] }))).toEqual(['unknown one-of']);
  expect(ofField(text({ oneOf: [a] }), text({ oneOf: [a, a] }))).toEqual(['unknown one-of']);
  expect(ofField(text({ oneOf: [a, b] }), text({}))).toEqual(['compatible one-of']);
});

test('a branch that accepts more is compatible in anyOf and allOf, and unknown in oneOf', () => {
  const [short, long] = [{ maxLength: 3 }, { maxLength: 5 }];
  expect(ofField(text({ anyOf: [a, short] }), text({ anyOf: [a, long] }))).toEqual([
    'compatible any-of',
  ]);
  expect(ofField(text({ allOf: [a, short] }), text({ allOf: [a, long] }))).toEqual([
    'compatible all-of',
  ]);
  expect(ofField(text({ oneOf: [a, short] }), text({ oneOf: [a, long] }))).toEqual([
    'unknown one-of',
  ]);
  expect(ofField(text({ anyOf: [a, long] }), text({ anyOf: [a, short] }))).toEqual([
    'unknown any-of',
  ]);
});

test('a different order of branches is no change', () => {
  expect(ofField(text({ oneOf: [a, b, c] }), text({ oneOf: [c, a, b] }))).toEqual([
    'compatible one-of',
  ]);
});

test('excluding less is compatible, excluding more is not', () => {
  expect(ofField(text({}), text({ not: a }))).toEqual(['breaking not']);
  expect(ofField(text({ not: a }), text({}))).toEqual(['compatible not']);
  expect(ofField(text({ not: { minLength: 3 } }), text({ not: { minLength: 5 } }))).toEqual([
    'compatible not',
  ]);
  expect(ofField(text({ not: { minLength: 5 } }), text({ not: { minLength: 3 } }))).toEqual([
    'unknown not',
  ]);
});

test('inside a branch, an undeclared field may have any value', () => {
  const x = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
  const one = { properties: { a: { minLength: 1 } } };
  const two = { properties: { a: { minLength: 1 }, b: { minLength: 1 } } };
  expect(ofField({ ...x, anyOf: [two] }, { ...x, anyOf: [one] })).toEqual(['compatible any-of']);
  expect(ofField({ ...x, anyOf: [one] }, { ...x, anyOf: [two] })).toEqual(['unknown any-of']);
});

const rules = (...list: ValidationRule[]): JSONSchemaProps =>
  text({ 'x-kubernetes-validations': list });

test('a new CEL rule is breaking, a removed one is compatible', () => {
  const one = { rule: 'self != "a"' };
  const two = { rule: 'self != "b"' };
  expect(ofField(text({}), rules(one))).toEqual(['breaking cel-rule']);
  expect(ofField(rules(one), rules(one, two))).toEqual(['breaking cel-rule']);
  expect(ofField(rules(one, two), rules(two))).toEqual(['compatible cel-rule']);
  expect(ofField(rules(one, two), rules(two, one))).toEqual(['compatible cel-rule']);
});

test('a changed message, reason or path of a CEL rule is compatible', () => {
  const rule = 'self != "a"';
  for (const more of [
    { message: 'must not be a' },
    { messageExpression: '"no " + self' },
    { reason: 'FieldValueForbidden' },
    { fieldPath: '.a' },
  ] as const) {
    expect(ofField(rules({ rule }), rules({ rule, ...more }))).toEqual(['compatible cel-rule']);
  }
});

test('a CEL rule with the same message and another condition is unknown, unless it provably refuses less', () => {
  const message = 'must be short';
  const [before, after] = [
    { rule: 'size(self) < 3', message },
    { rule: 'self.startsWith("a")', message },
  ];
  expect(ofField(rules(before), rules(after))).toEqual(['unknown cel-rule']);
});

test('a CEL rule with a changed optionalOldSelf is unknown', () => {
  const rule = 'oldSelf == self';
  expect(ofField(rules({ rule }), rules({ rule, optionalOldSelf: true }))).toEqual([
    'unknown cel-rule',
  ]);
});
