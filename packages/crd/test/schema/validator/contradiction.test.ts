import { expect, test } from '@jest/globals';
import { findContradiction } from '../../../schema/validator.ts';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';

const integer = (rest: JSONSchemaProps): JSONSchemaProps => ({ type: 'integer', ...rest });
const number = (rest: JSONSchemaProps): JSONSchemaProps => ({ type: 'number', ...rest });
const excluded = { exclusiveMinimum: true, exclusiveMaximum: true } as const;

test.each<[string, JSONSchemaProps, [keyword: string, must: string, got: string, why: string]]>([
  [
    'an enum that holds nothing of the type',
    { type: 'string', enum: [1, 'long', null], maxLength: 1 },
    [
      'enum',
      'hold a value that the rest of the schema takes',
      '1, "long", null',
      'nothing in enum is one: 1, "long", null',
    ],
  ],
  [
    'a bound beyond the format',
    integer({ format: 'int32', maximum: 2 ** 32 }),
    ['maximum', 'be within int32', '4294967296', 'maximum 4294967296 is beyond int32'],
  ],
  [
    'a bound of more than 64 bits',
    integer({ minimum: -1e20 }),
    [
      'minimum',
      'be within int64',
      '-100000000000000000000',
      'minimum -100000000000000000000 is beyond int64',
    ],
  ],
  [
    'a factor with a fraction',
    integer({ multipleOf: 0.5 }),
    ['multipleOf', 'be within int64', '0.5', 'multipleOf 0.5 is beyond int64'],
  ],
  [
    'a factor of nothing',
    integer({ multipleOf: 0 }),
    [
      'multipleOf',
      'be at least 1 for whole numbers',
      '0',
      'no whole number is a multiple of 0 to the API server',
    ],
  ],
  [
    'bounds that exclude each other',
    integer({ minimum: 2, maximum: 1 }),
    [
      'minimum',
      'leave something that is at most 1',
      'at least 2',
      'nothing is at least 2 and at most 1',
    ],
  ],
  [
    'bounds that leave each other out',
    integer({ minimum: 1, maximum: 2, ...excluded }),
    [
      'minimum',
      'leave something that is less than 2',
      'more than 1',
      'nothing is more than 1 and less than 2',
    ],
  ],
  [
    'a multiple that is out of bounds',
    integer({ minimum: 4, maximum: 5, multipleOf: 3 }),
    ['multipleOf', 'have a multiple from 4 to 5', '3', 'no multiple of 3 is from 4 to 5'],
  ],
  [
    'a multiple below zero that is out of bounds',
    integer({ minimum: -5, maximum: -4, multipleOf: 3 }),
    ['multipleOf', 'have a multiple from -5 to -4', '3', 'no multiple of 3 is from -5 to -4'],
  ],
  [
    'lengths',
    { type: 'string', minLength: 3, maxLength: 2 },
    ['minLength', 'be at most maxLength 2', '3', 'minLength 3 is above maxLength 2'],
  ],
  [
    'sizes of lists, with those of allOf',
    {
      type: 'array',
      items: {},
      minItems: 1,
      maxItems: 9,
      allOf: [{ maxItems: 3 }, { minItems: 4 }],
    },
    ['minItems', 'be at most maxItems 3', '4', 'minItems 4 is above maxItems 3'],
  ],
  [
    'sizes of objects',
    { type: 'object', minProperties: 2, maxProperties: 1 },
    [
      'minProperties',
      'be at most maxProperties 1',
      '2',
      'minProperties 2 is above maxProperties 1',
    ],
  ],
  [
    'more fields than there may be, with those of allOf',
    { type: 'object', required: ['a'], maxProperties: 1, allOf: [{ required: ['a', 'b'] }, {}] },
    [
      'required',
      'name no more fields than maxProperties 1',
      '2',
      'it must have 2 fields, and maxProperties is 1',
    ],
  ],
])('%s: the message names what to change, and why', (_name, schema, [keyword, must, got, why]) => {
  expect(findContradiction(schema)).toEqual({ keyword, must, got, why });
});

const either: JSONSchemaProps = { 'x-kubernetes-int-or-string': true };

test.each<[string, JSONSchemaProps]>([
  ['an enum of nothing', { type: 'string', enum: [] }],
  ['an enum of which one fits', { type: 'string', enum: ['long', 'x'], maxLength: 1 }],
  ['bounds that meet', integer({ minimum: 2, maximum: 2 })],
  ['one bound', integer({ minimum: 2 })],
  ['one bound, and a factor', integer({ maximum: 2, multipleOf: 3 })],
  ['a factor beside a bound of a fraction', number({ multipleOf: 0.5, minimum: 2, maximum: 1 })],
  ['multiples that are a bound', integer({ minimum: 6, maximum: 7, multipleOf: 3 })],
  ['multiples that are the other bound', integer({ minimum: -7, maximum: -6, multipleOf: 3 })],
  ['a multiple between', integer({ minimum: -1, maximum: 1, multipleOf: 3 })],
  ['numbers between two', number({ minimum: 1, maximum: 2, ...excluded })],
  ['a multiple alone', number({ minimum: 7.5, maximum: 7.5, multipleOf: 2.5 })],
  ['a fraction alone', number({ minimum: 1.5, maximum: 1.5 })],
  ['whole numbers to which both bounds are cut off', number({ minimum: 1.7, maximum: 1.5 })],
  ['a number from a bound on', number({ minimum: 1, exclusiveMinimum: true })],
  ['a number up to a bound', number({ maximum: 1, exclusiveMaximum: true })],
  ['numbers with a factor, without bounds', number({ multipleOf: 0 })],
  ['bounds of numbers where there may be texts', { ...either, minimum: 2, maximum: 1 }],
  ['bounds of numbers for texts', { type: 'string', minimum: 2, maximum: 1 }],
  ['bounds of numbers for anything', { minimum: 2, maximum: 1 }],
  ['lengths where there may be numbers', { ...either, minLength: 2, maxLength: 1 }],
  [
    'lengths where there may be numbers, whatever the type',
    { ...either, type: 'string', minLength: 2, maxLength: 1 },
  ],
  ['lengths of numbers', integer({ minLength: 2, maxLength: 1 })],
  ['sizes of texts', { type: 'string', minItems: 2, maxItems: 1 }],
  ['lengths that meet', { type: 'string', minLength: 2, maxLength: 2 }],
  ['as many fields as there may be', { type: 'object', required: ['a'], maxProperties: 1 }],
  ['fields of texts', { type: 'string', required: ['a', 'b'], maxProperties: 1 }],
  ['many fields', { type: 'object', required: ['a', 'b'] }],
])('%s is not a contradiction', (_name, schema) => {
  expect(findContradiction(schema)).toBeUndefined();
});

test.each<[string, JSONSchemaProps]>([
  [
    'a number between a bound that is left out and itself',
    number({ minimum: 1, maximum: 1, exclusiveMinimum: true }),
  ],
  ['the same at the other bound', number({ minimum: 1, maximum: 1, exclusiveMaximum: true })],
  ['numbers between bounds in the wrong order', number({ minimum: 3, maximum: 1 })],
  [
    'a bound that allOf leaves out',
    number({ minimum: 1, maximum: 1, allOf: [{ minimum: 1, exclusiveMinimum: true }] }),
  ],
  [
    'a bound that allOf takes and the schema leaves out',
    number({ minimum: 1, maximum: 1, exclusiveMinimum: true, allOf: [{ minimum: 1 }] }),
  ],
  [
    'an upper bound that allOf leaves out',
    number({ minimum: 1, maximum: 1, allOf: [{ maximum: 1, exclusiveMaximum: true }] }),
  ],
  [
    'an upper bound that allOf takes and the schema leaves out',
    number({ minimum: 1, maximum: 1, exclusiveMaximum: true, allOf: [{ maximum: 1 }] }),
  ],
  [
    'the narrowest of many bounds',
    integer({ minimum: 1, maximum: 9, allOf: [{ minimum: 5, allOf: [{ maximum: 4 }] }] }),
  ],
  [
    'the narrowest bound first',
    integer({ minimum: 5, maximum: 4, allOf: [{ minimum: 1, maximum: 9 }] }),
  ],
])('a contradiction is found: %s', (_name, schema) => {
  expect(findContradiction(schema)).toMatchObject({ keyword: 'minimum' });
});

test('a schema is examined once', () => {
  const schema = integer({ minimum: 2, maximum: 1 });
  expect(findContradiction(schema)).toBe(findContradiction(schema));
});
