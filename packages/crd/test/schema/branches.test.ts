import { expect, test } from '@jest/globals';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { mergeSchemas, listBranches } from '../../schema/sample/branches.ts';
import { scalarsFor } from '../../schema/sample/values.ts';

test.each<[string, JSONSchemaProps, JSONSchemaProps, JSONSchemaProps]>([
  ['the members of both enums', { enum: ['a', 'b'] }, { enum: ['b', 'c'] }, { enum: ['b'] }],
  [
    'the fields of both, with shared fields merged',
    { properties: { a: { type: 'string' }, b: { minLength: 2 } } },
    { properties: { b: { maxLength: 3 }, c: {} } },
    { properties: { a: { type: 'string' }, b: { minLength: 2, maxLength: 3 }, c: {} } },
  ],
  [
    'the required fields of either, once',
    { required: ['a', 'b'] },
    { required: ['b', 'c'] },
    { required: ['a', 'b', 'c'] },
  ],
  [
    'items for both',
    { items: { type: 'string' } },
    { items: { minLength: 1 } },
    { items: { type: 'string', minLength: 1 } },
  ],
  [
    'map values of both, and described values instead of any',
    { additionalProperties: { type: 'string' } },
    { additionalProperties: true },
    { additionalProperties: { type: 'string' } },
  ],
  [
    'the tighter bounds, and whether they are open',
    { minLength: 1, maxItems: 5, minimum: 1, maximum: 9, exclusiveMaximum: true },
    { minLength: 3, maxItems: 2, minimum: 0, maximum: 9 },
    {
      minLength: 3,
      maxItems: 2,
      minimum: 1,
      exclusiveMinimum: false,
      maximum: 9,
      exclusiveMaximum: true,
    },
  ],
  [
    'the rules of both',
    { 'x-kubernetes-validations': [{ rule: 'a' }] },
    { 'x-kubernetes-validations': [{ rule: 'b' }] },
    { 'x-kubernetes-validations': [{ rule: 'a' }, { rule: 'b' }] },
  ],
  [
    'the keywords of one alone',
    { format: 'date' },
    { pattern: 'a' },
    { format: 'date', pattern: 'a' },
  ],
])('the merge of two schemas has %s', (_, a, b, wanted) => {
  expect(mergeSchemas(a, b)).toEqual(wanted);
});

test('each choice is a branch, and each branch contains all of allOf', () => {
  const schema = {
    type: 'object',
    allOf: [{ required: ['a'] }],
    anyOf: [{ required: ['b'] }, { required: ['c'] }],
    oneOf: [{ minProperties: 1 }, { maxProperties: 2 }],
  };
  expect(listBranches(schema)).toEqual([
    { type: 'object', required: ['a', 'b'], minProperties: 1 },
    { type: 'object', required: ['a', 'b'], maxProperties: 2 },
    { type: 'object', required: ['a', 'c'], minProperties: 1 },
    { type: 'object', required: ['a', 'c'], maxProperties: 2 },
  ]);
});

test('a schema without choices is its own branch, and so is int-or-string', () => {
  const plain = { type: 'string', minLength: 1 };
  expect(listBranches(plain)).toEqual([plain]);
  const anyOf = [{ type: 'integer' }, { type: 'string' }];
  const intOrString = { 'x-kubernetes-int-or-string': true, anyOf };
  expect(listBranches(intOrString)).toEqual([intOrString]);
});

test('the candidate numbers are next to the bounds, and multiples if required', () => {
  const first = (schema: JSONSchemaProps) => [...scalarsFor(schema).take(5)];
  expect(first({ type: 'integer', minimum: 3.5, maximum: 9 })).toEqual([4, 5, 9, 8, 6.25]);
  expect(first({ type: 'number', minimum: 3, maximum: 4 })).toEqual([3, 3.5, 3.001, 4, 3.5]);
  const steps = { type: 'integer', minimum: 4, maximum: 20, multipleOf: 5 };
  expect(new Set(first(steps))).toEqual(new Set([5, 10, 15, 20]));
});
