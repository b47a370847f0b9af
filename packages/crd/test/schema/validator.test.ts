import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { formatPath } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { compileSchema } from '../../schema/validator.ts';
import { string } from '../../schema/language.ts';

function collectErrors(schema: JSONSchemaProps, value: unknown, oldValue?: unknown): string[] {
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
  ['a number that JSON cannot represent', integer(), NaN, ['must be a whole number, got NaN']],
  [
    'a bound of 64 bits',
    integer({ maximum: 2 ** 60 }),
    2n ** 60n + 1n,
    ['must be a whole number of at most 1152921504606847000, got 1152921504606846977'],
  ],
  [
    'a bound that no int32 can reach refuses everything',
    integer({ format: 'int32', maximum: 2 ** 40 }),
    1,
    [
      'must be a value that cannot exist, because the schema contradicts itself (maximum 1099511627776 is beyond int32), got 1',
    ],
  ],
  [
    'lengths of a list that exclude each other',
    { type: 'array', items: { type: 'string' }, minItems: 5, maxItems: 3 },
    ['a'],
    [
      'must be a value that cannot exist, because the schema contradicts itself (minItems 5 is above maxItems 3), got 1',
    ],
  ],
  [
    'a required field without a declaration',
    { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] },
    {},
    ['b must be present, but the schema declares no such field, got nothing'],
  ],
  [
    'an exclusive bound',
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
    'a pattern with its own message',
    text({ pattern: '^a' }),
    'b',
    ["must be a string that matches ^a, got 'b'"],
  ],
  ['a format', text({ format: 'ipv4' }), 'b', ["must be a string of format ipv4, got 'b'"]],
  [
    'one character is not two',
    text({ minLength: 2 }),
    '😀',
    ["must be a string of at least 2 characters, got '😀'"],
  ],
  ['a nullable null', text({ nullable: true }), null, []],
  ['neither null nor the type', text({ nullable: true }), 1, ['must be null or a string, got 1']],
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
    'a misspelt field within an object that keeps unknown fields',
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
    'entries of any kind have no known fields',
    { type: 'object', additionalProperties: true },
    { a: 1, b: { c: 1 } },
    ["b.c must be a known field, got 'c'; none is known here"],
  ],
  [
    'forbidden entries',
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
  [
    'entries of lists of any kind have no known fields',
    { type: 'object', additionalProperties: true },
    { a: [1, { c: 1 }], b: [[]], c: null, d: [{}] },
    ["a[1].c must be a known field, got 'c'; none is known here"],
  ],
  [
    'items without a schema have no known fields',
    { type: 'array' },
    [1, { a: 1 }],
    ["[1].a must be a known field, got 'a'; none is known here"],
  ],
  [
    'fields of items of lists',
    { type: 'array', items: { type: 'array', items: object({ a: text() }) } },
    [[{ a: 'x' }, { b: 'x' }]],
    ["[0][1].b must be a known field, got 'b'; did you mean 'a'?"],
  ],
  [
    'fields of items of a list that keeps them',
    {
      type: 'array',
      items: { type: 'array', items: object({ a: text() }) },
      'x-kubernetes-preserve-unknown-fields': true,
    },
    [[{ a: 'x' }, { b: 'x' }]],
    [],
  ],
  [
    'items of a list that keeps everything in it',
    { type: 'array', items: { type: 'array' }, 'x-kubernetes-preserve-unknown-fields': true },
    [[{ a: 'x' }]],
    [],
  ],
  [
    'items without keywords in allOf',
    { type: 'array', items: object({ a: text() }), allOf: [{ minItems: 1 }] },
    [{ a: 'x' }],
    [],
  ],
  [
    'fields that Kubernetes knows in metadata',
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: {
        metadata: object({
          a: { type: 'object', additionalProperties: true },
          b: {
            type: 'array',
            items: object({ c: object({}) }),
            'x-kubernetes-preserve-unknown-fields': true,
          },
        }),
      },
    },
    { metadata: { a: { x: { y: 1 } }, b: [{ c: { d: 1 } }], e: 1 } },
    [],
  ],
  [
    'entries of any kind that have no fields',
    { type: 'object', additionalProperties: true },
    { a: 'x', b: 1, c: null, d: {}, e: ['x', {}, [[], null]] },
    [],
  ],
  [
    'a field with the name of a metadata field',
    object({ name: object({ a: text() }) }),
    { name: { b: 1 } },
    ["name.b must be a known field, got 'b'; did you mean 'a'?"],
  ],
  [
    'fields within items that keep their own',
    {
      type: 'array',
      items: object({ a: object({ b: text() }) }),
      'x-kubernetes-preserve-unknown-fields': true,
    },
    [{ c: 1, a: { d: 1 } }],
    ["[0].a.d must be a known field, got 'd'; did you mean 'b'?"],
  ],
  [
    'rules in a schema that only restricts',
    text({ allOf: [text({ 'x-kubernetes-validations': [{ rule: 'false' }] })] }),
    'a',
    [],
  ],
  [
    'an unknown field beside twenty',
    object(Object.fromEntries(Array.from('abcdefghijklmnopqrst', (name) => [name, text()]))),
    { strange: 1 },
    [
      "strange must be a known field, got 'strange'; known: a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t",
    ],
  ],
  [
    'an unknown field beside more',
    object(Object.fromEntries(Array.from('abcdefghijklmnopqrstu', (name) => [name, text()]))),
    { strange: 1 },
    [
      "strange must be a known field, got 'strange'; known: a, b, c, d, e, f, g, h, i, j and 11 more",
    ],
  ],
  ['null without a schema', {}, null, []],
  ['no type', { type: '' }, 'a', []],
  [
    'null skips allOf, anyOf, oneOf and not',
    text({
      nullable: true,
      allOf: [{ enum: ['a'] }],
      anyOf: [{ enum: ['a'] }],
      oneOf: [{ enum: ['a'] }],
      not: {},
    }),
    null,
    [],
  ],
  [
    'a value that each of several schemas accepts',
    text({ allOf: [{ minLength: 1 }, { maxLength: 2 }] }),
    'ab',
    [],
  ],
  [
    'a value that a schema refuses twice',
    text({ allOf: [{ minLength: 3 }], anyOf: [{ minLength: 4 }] }),
    'a',
    ["must be a value of at least 3 characters, got 'a'"],
  ],
  [
    'an error within hides those around it',
    object({ a: integer() }, { anyOf: [{ required: ['b'] }] }),
    { a: 'x' },
    ["a must be a whole number, got 'x'"],
  ],
  [
    'a required field among entries',
    { type: 'object', additionalProperties: integer(), required: ['a'] },
    {},
    ['a must be a whole number, got nothing'],
  ],
  [
    'a required field among kept fields',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, required: ['a', 'b'] },
    { b: 1 },
    ['a must be a value, got nothing'],
  ],
  [
    'a key and a value beside it',
    {
      type: 'array',
      items: object({ a: text(), b: integer() }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    },
    [{ a: 'x', b: 'y' }, { a: 'x' }, { a: 'x' }],
    [
      "[0].b must be a whole number, got 'y'",
      "[1].a must be unique in the list, got 'x' again (first at [0])",
      "[2].a must be unique in the list, got 'x' again (first at [0])",
    ],
  ],
  [
    'items without a key',
    {
      type: 'array',
      items: object({ a: text() }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    },
    [{}, {}],
    ['[1].a must be unique in the list, got nothing again (first at [0])'],
  ],
  [
    'items that are not objects in a list with keys',
    {
      type: 'array',
      items: { 'x-kubernetes-preserve-unknown-fields': true },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    },
    ['x', { a: 'x' }, 'y'],
    ['[2] must be unique in the list, got nothing again (first at [0])'],
  ],
  [
    'items that are unique in another way',
    { type: 'array', items: integer(), uniqueItems: true },
    [1, 2, 1],
    ['[2] must be unique in the list, got 1 again (first at [0])'],
  ],
  ['unique items', { type: 'array', items: integer(), uniqueItems: true }, [1, 2], []],
  [
    'a secret that occurs twice',
    object({ tokens: { type: 'array', items: text(), 'x-kubernetes-list-type': 'set' } }),
    { tokens: ['abc', 'abc'] },
    ['tokens[1] must be unique in the list, got a value that is not shown again (first at [0])'],
  ],
  ['an enum of nothing', integer({ enum: [] }), 1, []],
  ['an enum of no texts', text({ enum: [] }), 'a', []],
  ['no text of an empty enum', text({ enum: [] }), 1, ['must be a string, got 1']],
  [
    'an enum of objects',
    object({ a: integer() }, { enum: [{ a: 1 }, {}] }),
    { a: 2 },
    ['must be one of {"a":1}, {}, got a mapping'],
  ],
  ['the smallest whole number', integer(), -(2n ** 63n), []],
  [
    'one below',
    integer(),
    -(2n ** 63n) - 1n,
    ['must be a whole number of 64 bits, got -9223372036854775809'],
  ],
  [
    'the least and the most of int32',
    { type: 'array', items: integer({ format: 'int32' }) },
    [-(2 ** 31), 2 ** 31 - 1, -(2n ** 31n), 2n ** 31n],
    ['[3] must be a whole number of 32 bits, got 2147483648'],
  ],
  [
    'at least one character',
    text({ minLength: 1 }),
    '',
    ["must be a string of at least 1 character, got ''"],
  ],
  [
    'from one to two characters',
    text({ minLength: 1, maxLength: 2 }),
    '',
    ["must be a string of at least 1 and at most 2 characters, got ''"],
  ],
  [
    'at least two characters',
    text({ minLength: 2 }),
    'a',
    ["must be a string of at least 2 characters, got 'a'"],
  ],
  [
    'characters that are two units of UTF-16',
    { type: 'array', items: text({ minLength: 2, maxLength: 3 }) },
    ['😀😀', '😀😀😀', 'a😀', '😀', '😀😀😀😀', '😀😀a😀', 'aaa'],
    [
      "[3] must be a string of at least 2 and at most 3 characters, got '😀'",
      "[4] must be a string of at least 2 and at most 3 characters, got '😀😀😀😀'",
      "[5] must be a string of at least 2 and at most 3 characters, got '😀😀a😀'",
    ],
  ],
  [
    'a large number where few whole numbers are allowed',
    integer({ enum: [1] }),
    2n ** 64n,
    ['must be one of 1, got 18446744073709551616'],
  ],
  [
    'a large number where any number is allowed',
    { type: 'number', maximum: 1 },
    2n ** 64n,
    ['must be a number of at most 1, got 18446744073709551616'],
  ],
  [
    'too few of two items',
    { type: 'array', minItems: 2 },
    ['a'],
    ['must have at least 2 items, got 1'],
  ],
  [
    'one of several fields, some of which belong together',
    object(
      { a: text(), b: text(), c: text() },
      { anyOf: [{ required: ['a', 'b'] }, { required: ['c'] }] },
    ),
    {},
    ['must have at least one of a and b, c, got a mapping'],
  ],
  [
    'one of several fields, or something else',
    object({ a: text(), b: text() }, { anyOf: [{ required: ['a'] }, { minProperties: 1 }] }),
    {},
    ['must fit at least one of the 2 schemas of anyOf, got a mapping'],
  ],
  [
    'one of several fields, with something else',
    object({ a: text() }, { anyOf: [{ required: ['a'], minProperties: 1 }] }),
    {},
    ['must fit at least one of the 1 schemas of anyOf, got a mapping'],
  ],
  [
    'bounds in the types of a number or a string',
    { 'x-kubernetes-int-or-string': true, anyOf: [integer({ minimum: 5 }), text()] },
    3,
    ['must fit at least one of the 2 schemas of anyOf, got 3'],
  ],
  [
    'one of two schemas that accept everything',
    text({ oneOf: [{}, {}] }),
    'a',
    ["must fit exactly one of the 2 schemas of oneOf, got 'a'"],
  ],
  [
    'anyOf, with its own message',
    string('', { must: 'a or b', anyOf: [{ enum: ['a'] }, { enum: ['b'] }] }),
    'c',
    ["must be a or b, got 'c'"],
  ],
  [
    'allOf beside oneOf',
    text({ allOf: [{ minLength: 2 }], oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }),
    'cc',
    ["must fit exactly one of the 2 schemas of oneOf, got 'cc'"],
  ],
  [
    'a rule beside anyOf',
    text({
      anyOf: [{}],
      'x-kubernetes-validations': [{ rule: "self == 'a'", message: 'must be a' }],
    }),
    'b',
    ["must be a, got 'b'"],
  ],
  [
    'rules that are satisfied',
    text({ 'x-kubernetes-validations': [{ rule: "self == 'a'" }, { rule: "self != 'b'" }] }),
    'a',
    [],
  ],
  [
    'a transition rule for a value without an old one, beside a violated rule',
    integer({
      'x-kubernetes-validations': [
        { rule: 'self >= oldSelf', message: 'must not shrink' },
        { rule: 'self > 5', message: 'must be more than 5' },
      ],
    }),
    3,
    ['must be more than 5, got 3'],
  ],
])('%s', (_name, schema, value, expected) => {
  expect(collectErrors(schema, value)).toEqual(expected);
  expect(compileSchema(schema).accepts(value)).toBe(expected.length === 0);
});

test('a value that cannot be decided is accepted and reported as not checked', () => {
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

test('each value that cannot be decided is reported once, for the first such keyword', () => {
  const beyond = { type: 'number', minimum: -1e20, maximum: 1e20 } as const;
  const { accepts, check } = compileSchema(beyond);
  expect([accepts(1), accepts(1.5)]).toEqual([true, true]);
  expect(check(1.5)).toEqual({ errors: [], warnings: [], notChecked: [] });
  expect(check(1)).toMatchObject({ errors: [], notChecked: [{ path: [], rule: 'maximum' }] });
  const within = { a: { format: 'email' }, b: { maximum: 1e20 } };
  const two = object({ a: text(), b: { type: 'number' } }, { not: { properties: within } });
  expect(compileSchema(two).check({ a: 'Ann <ann@example.com>', b: 1 })).toMatchObject({
    errors: [],
    notChecked: [{ rule: 'format' }, { rule: 'maximum' }],
  });
});

test('a rule that is not evaluated is reported with its text', () => {
  const rule = "self.endsWith('x') || timestamp('2020-01-01T00:00:00Z').getHours('Local') > 50";
  const schema = text({ 'x-kubernetes-validations': [{ rule }] });
  const { accepts, check } = compileSchema(schema);
  expect([accepts('x'), accepts('y')]).toEqual([true, true]);
  expect(check('x')).toEqual({ errors: [], warnings: [], notChecked: [] });
  expect(check('y')).toMatchObject({
    errors: [],
    notChecked: [
      {
        path: [],
        rule: 'x-kubernetes-validations',
        message: expect.stringMatching(
          /^the rule self\.endsWith.* was not evaluated: it uses the time zone Local, which is the server's own$/,
        ),
      },
    ],
  });
  expect(compileSchema(object({ a: schema })).check({ a: 'y', b: 1 })).toMatchObject({
    errors: [{ path: ['b'] }],
    notChecked: [{ path: ['a'] }],
  });
});

test('a finding has the path of the value, and for an unknown field that of its key', () => {
  const path = ['spec', 0];
  const { errors } = compileSchema(object({ a: text() })).check({ a: 1, b: 1 }, { path });
  expect(errors).toMatchObject([
    { path: ['spec', 0, 'a'] },
    { path: ['spec', 0, 'b'], atKey: true },
  ]);
  expect(errors[0]).not.toHaveProperty('atKey');
  expect(path).toEqual(['spec', 0]);
});

test('a rule of a whole object can read its name', () => {
  const rule = { rule: "self.metadata.name != 'a'", message: 'must have another name' };
  const schema = object({}, { 'x-kubernetes-validations': [rule] });
  const { accepts, check } = compileSchema(schema, { root: true });
  const named = (name: string) => ({ apiVersion: 'a/v1', kind: 'A', metadata: { name } });
  expect([accepts(named('a')), accepts(named('b'))]).toEqual([false, true]);
  expect(check(named('a')).errors).toMatchObject([{ message: 'must have another name' }]);
});

test('duplicates that the list type allows are not errors while they do not change', () => {
  const schema: JSONSchemaProps = { type: 'array', items: integer(), uniqueItems: true };
  expect(collectErrors(schema, [1, 1], [1, 1])).toEqual([]);
  expect(collectErrors(schema, [1, 1, 2], [1, 1])).toEqual([
    '[1] must be unique in the list, got 1 again (first at [0])',
  ]);
  const kept: JSONSchemaProps = { type: 'array', 'x-kubernetes-preserve-unknown-fields': true };
  expect(collectErrors(kept, [1], [2])).toEqual([]);
  const set = { type: 'array', items: text(), 'x-kubernetes-list-type': 'set' } as const;
  const before = { kept: [1], set: ['x'] };
  expect(collectErrors(object({ kept, set }), { kept: [1], set: ['x', 'x'] }, before)).toEqual([
    "set[1] must be unique in the list, got 'x' again (first at [0])",
  ]);
});

test('an error of the old value that did not change is not reported', () => {
  const schema = object({ a: text({ maxLength: 1 }), b: text({ maxLength: 1 }) });
  expect(collectErrors(schema, { a: 'long', b: 'x' }, { a: 'long', b: 'y' })).toEqual([]);
  expect(collectErrors(schema, { a: 'longer', b: 'x' }, { a: 'long', b: 'y' })).toEqual([
    "a must be a string of at most 1 character, got 'longer'",
  ]);
});

test('a transition rule is evaluated if the old value is known, also in lists with keys', () => {
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
  expect(collectErrors(schema, after)).toEqual([]);
  expect(collectErrors(schema, after, before)).toEqual([
    'size must not shrink, got 2',
    'parts[0].size must not shrink, got 2',
  ]);
});

test('a rule with a fieldPath reports that field', () => {
  const rules = [{ rule: 'self.a < self.b', message: 'must be less than b', fieldPath: '.a' }];
  const schema = object({ a: integer(), b: integer() }, { 'x-kubernetes-validations': rules });
  expect(collectErrors(schema, { a: 2, b: 1 })).toEqual(['a must be less than b']);
  const sizes = object({ 'a.b': integer() });
  const quoted = { rule: 'self.sizes.a__dot__b > 1', message: 'no', fieldPath: ".sizes['a.b']" };
  const outer = object({ sizes }, { 'x-kubernetes-validations': [quoted] });
  const { errors } = compileSchema(object({ outer })).check({ outer: { sizes: { 'a.b': 1 } } });
  expect(errors.map(({ path }) => path)).toEqual([['outer', 'sizes', 'a.b']]);
});

test('an object of another realm, such as from structuredClone in jest, is an object to rules too', () => {
  const rules = [{ rule: 'self.size > 1 && self.parts.all(p, p.of == "a")', message: 'no' }];
  const parts: JSONSchemaProps = { type: 'array', items: object({ of: text() }) };
  const schema = object({ size: integer(), parts }, { 'x-kubernetes-validations': rules });
  const made = (json: string) => runInNewContext(`(${json})`) as unknown;
  const [good, bad] = [
    made('{size: 2, parts: [{of: "a"}]}'),
    made('{size: 2, parts: [{of: "b"}]}'),
  ];
  for (let i = 0; i < 500; i += 1) {
    expect(collectErrors(schema, good)).toEqual([]);
    expect(collectErrors(schema, bad)).toEqual(['no']);
  }
});

test('names of fields cannot become code', () => {
  const evil = '"];globalThis.broken=1;//';
  const schema = object({ [evil]: text({ enum: ['`${x}`'] }) }, { required: [evil] });
  const validator = compileSchema(schema);
  for (let i = 0; i < 500; i += 1) expect(validator.accepts({ [evil]: '`${x}`' })).toBe(true);
  expect(validator.accepts({ [evil]: 1 })).toBe(false);
  expect('broken' in globalThis).toBe(false);
});

test('a value that JSON cannot contain is validated as it is', () => {
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

test('a finding about a duplicate item has the index of the first one', () => {
  const schema = { type: 'array', items: text(), 'x-kubernetes-list-type': 'set' } as const;
  const { errors } = compileSchema(schema).check(['b', 'a', 'c', 'a']);
  expect(errors).toMatchObject([{ path: [3], about: { firstItem: 1 } }]);
});
