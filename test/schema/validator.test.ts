import { expect, test } from '@jest/globals';
import { formatPath } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';
import { compileSchema } from '../../schema/validator.ts';

function told(schema: JSONSchemaProps, value: unknown, oldValue?: unknown): string[] {
  const old = oldValue === undefined ? {} : { oldValue };
  return compileSchema(schema)
    .check(value, old)
    .errors.map(({ path, message }) => [formatPath(path), message].filter(Boolean).join(' '));
}

const text = (rest: JSONSchemaProps = {}): JSONSchemaProps => ({ type: 'string', ...rest });
const integer = (rest: JSONSchemaProps = {}): JSONSchemaProps => ({ type: 'integer', ...rest });
const object = (properties: Record<string, JSONSchemaProps>, rest: JSONSchemaProps = {}) => ({
  type: 'object',
  properties,
  ...rest,
});

test.each<[string, JSONSchemaProps, unknown, string[]]>([
  ['a whole number of 64 bits', integer(), 2n ** 63n - 1n, []],
  [
    'one of 65 bits',
    integer(),
    2n ** 63n,
    ['must be a whole number of 64 bits, got 9223372036854775808'],
  ],
  ['a number beyond 2^53 as JavaScript writes it', integer(), 2 ** 60, []],
  ['a number that JSON cannot hold', integer(), NaN, ['must be a whole number, got NaN']],
  [
    'a bound of 64 bits',
    integer({ maximum: 2 ** 60 }),
    2n ** 60n + 1n,
    ['must be a whole number of at most 1152921504606847000, got 1152921504606846977'],
  ],
  [
    'a bound that no int32 can hold refuses all',
    integer({ format: 'int32', maximum: 2 ** 40 }),
    1,
    [
      'must be what no value is, for the schema contradicts itself (maximum 1099511627776 is beyond int32), got 1',
    ],
  ],
  [
    'lengths of a list that exclude each other',
    { type: 'array', items: { type: 'string' }, minItems: 5, maxItems: 3 },
    ['a'],
    [
      'must be what no value is, for the schema contradicts itself (minItems 5 is above maxItems 3), got 1',
    ],
  ],
  [
    'a field that must be there and is not declared',
    { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] },
    {},
    ['b must be there, and the schema declares no such field, got nothing'],
  ],
  [
    'a bound that is left out',
    integer({ minimum: 1, exclusiveMinimum: true }),
    1,
    ['must be a whole number of more than 1, got 1'],
  ],
  [
    'a multiple',
    integer({ multipleOf: 3 }),
    4,
    ['must be a whole number that is a multiple of 3, got 4'],
  ],
  [
    'an enum of mixed kinds',
    { 'x-kubernetes-int-or-string': true, enum: ['a', 1] },
    'b',
    ["must be one of a, 1, got 'b'"],
  ],
  [
    'a pattern in its own words',
    text({ pattern: '^a' }),
    'b',
    ["must be a string that matches ^a, got 'b'"],
  ],
  ['a format', text({ format: 'ipv4' }), 'b', ["must be a string of format ipv4, got 'b'"]],
  [
    'a character is not two',
    text({ minLength: 2 }),
    '😀',
    ["must be a string of at least 2 characters, got '😀'"],
  ],
  ['null where it may be', text({ nullable: true }), null, []],
  ['null or else', text({ nullable: true }), 1, ['must be null or a string, got 1']],
  [
    'one of several fields',
    object({ a: text(), b: text() }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    {},
    ['must have exactly one of a, b, got a mapping'],
  ],
  [
    'one of several schemas',
    text({ anyOf: [{ pattern: '^a' }, { pattern: '^b' }] }),
    'c',
    ["must fit at least one of the 2 schemas of anyOf, got 'c'"],
  ],
  [
    'none of a schema',
    text({ not: { enum: ['a'] } }),
    'a',
    ["must not fit the schema of not, got 'a'"],
  ],
  [
    'all of several schemas',
    object({ a: text() }, { allOf: [{ properties: { a: { minLength: 2 } } }] }),
    { a: 'x' },
    ["a must be a value of at least 2 characters, got 'x'"],
  ],
  [
    'a field within what is kept',
    { 'x-kubernetes-preserve-unknown-fields': true, ...object({ a: object({ b: text() }) }) },
    { x: 1, a: { c: 1 } },
    ["a.c must be a known field, got 'c'; did you mean 'b'?"],
  ],
  [
    'a field of an object of Kubernetes',
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    { apiVersion: 'v1', metadata: { a: 1 }, x: 1 },
    ["x must be a known field, got 'x'; known: apiVersion, kind, metadata"],
  ],
  [
    'entries of any kind have no fields',
    { type: 'object', additionalProperties: true },
    { a: 1, b: { c: 1 } },
    ["b.c must be a known field, got 'c'; none is known here"],
  ],
  [
    'entries that may not be',
    { type: 'object', additionalProperties: false },
    { a: 1 },
    ["a must be a known field, got 'a'; none is known here"],
  ],
  [
    'two keys of a list',
    {
      type: 'array',
      items: object({ a: text(), b: integer() }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
    },
    [
      { a: 'x', b: 1 },
      { a: 'x', b: 2 },
      { b: 1, a: 'x' },
    ],
    ["[2].a must be unique in the list, got 'x' again (first at [0])"],
  ],
  [
    'objects of a set',
    { type: 'array', items: object({ a: text(), b: text() }), 'x-kubernetes-list-type': 'set' },
    [
      { a: 'x', b: 'y' },
      { b: 'y', a: 'x' },
    ],
    ['[1] must be unique in the list, got a mapping again (first at [0])'],
  ],
])('%s', (_name, schema, value, expected) => {
  expect(told(schema, value)).toEqual(expected);
  expect(compileSchema(schema).accepts(value)).toBe(expected.length === 0);
});

test('what is in doubt is accepted, and said to be so', () => {
  const email = text({ format: 'email' });
  const value = 'Ann <ann@example.com>';
  const { errors, notChecked } = compileSchema(object({ a: email })).check({ a: value });
  expect(errors).toEqual([]);
  expect(notChecked).toMatchObject([
    { path: ['a'], message: expect.stringMatching(/format email/), rule: 'format' },
  ]);
  expect(compileSchema(text({ not: { format: 'email' } })).check(value)).toMatchObject({
    errors: [],
    notChecked: [{ path: [] }],
  });
  const either = text({ anyOf: [{ format: 'email' }, { minLength: 1 }] });
  expect(compileSchema(either).check(value)).toEqual({ errors: [], warnings: [], notChecked: [] });
  for (const word of ['anyOf', 'oneOf'] as const) {
    const perhaps = text({ [word]: [{ format: 'email' }, { maxLength: 1 }] });
    expect(compileSchema(perhaps).accepts(value)).toBe(true);
    expect(compileSchema(perhaps).check(value)).toMatchObject({ errors: [], notChecked: [{}] });
  }
  const twice = text({ oneOf: [{ format: 'email' }, { minLength: 1 }, { minLength: 2 }] });
  expect(compileSchema(twice).check(value)).toMatchObject({ errors: [{}], notChecked: [] });
  const surely = text({ oneOf: [{ format: 'email' }, { maxLength: 1 }] });
  expect(compileSchema(surely).check('x')).toEqual({ errors: [], warnings: [], notChecked: [] });
});

test('what was wrong before and did not change is left alone', () => {
  const schema = object({ a: text({ maxLength: 1 }), b: text({ maxLength: 1 }) });
  expect(told(schema, { a: 'long', b: 'x' }, { a: 'long', b: 'y' })).toEqual([]);
  expect(told(schema, { a: 'longer', b: 'x' }, { a: 'long', b: 'y' })).toEqual([
    "a must be a string of at most 1 character, got 'longer'",
  ]);
});

test('a rule about the change is asked where the value before is known, also in lists by a key', () => {
  const fixed = integer({
    'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'must not shrink' }],
  });
  const schema = object({
    size: fixed,
    parts: {
      type: 'array',
      items: object({ name: text(), size: fixed }, { required: ['name'] }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
  });
  const before = {
    size: 3,
    parts: [
      { name: 'a', size: 3 },
      { name: 'b', size: 3 },
    ],
  };
  const after = {
    size: 2,
    parts: [
      { name: 'b', size: 2 },
      { name: 'c', size: 1 },
      { name: 'a', size: 3 },
    ],
  };
  expect(told(schema, after)).toEqual([]);
  expect(told(schema, after, before)).toEqual([
    'size must not shrink, got 2',
    'parts[0].size must not shrink, got 2',
  ]);
});

test('a rule blames the field that it names', () => {
  const rules = [{ rule: 'self.a < self.b', message: 'must be less than b', fieldPath: '.a' }];
  const schema = object({ a: integer(), b: integer() }, { 'x-kubernetes-validations': rules });
  expect(told(schema, { a: 2, b: 1 })).toEqual(['a must be less than b']);
  const sizes = object({ 'a.b': integer() });
  const quoted = { rule: 'self.sizes.a__dot__b > 1', message: 'no', fieldPath: ".sizes['a.b']" };
  const outer = object({ sizes }, { 'x-kubernetes-validations': [quoted] });
  const { errors } = compileSchema(object({ outer })).check({ outer: { sizes: { 'a.b': 1 } } });
  expect(errors.map(({ path }) => path)).toEqual([['outer', 'sizes', 'a.b']]);
});

test('names of fields cannot become code', () => {
  const evil = '"];globalThis.broken=1;//';
  const schema = object({ [evil]: text({ enum: ['`${x}`'] }) }, { required: [evil] });
  const validator = compileSchema(schema);
  for (let i = 0; i < 500; i += 1) expect(validator.accepts({ [evil]: '`${x}`' })).toBe(true);
  expect(validator.accepts({ [evil]: 1 })).toBe(false);
  expect('broken' in globalThis).toBe(false);
});

test('a value that no JSON gives is looked at as it is', () => {
  const schema = object({ toString: text(), a: text() });
  const validator = compileSchema(schema);
  for (let i = 0; i < 500; i += 1) {
    expect(validator.accepts({ a: 'x' })).toBe(true);
    expect(validator.accepts(Object.create({ a: 1 }))).toBe(true);
    expect(validator.accepts({ a: undefined })).toBe(false);
    expect(validator.accepts(Object.assign(Object.create(null), { a: 'x' }))).toBe(true);
    expect(validator.accepts(JSON.parse('{"__proto__":{}}'))).toBe(false);
  }
});
