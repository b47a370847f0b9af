import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '@tenantry/kube/object';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import {
  anything,
  enumOf,
  integer,
  intOrString,
  list,
  listMap,
  map,
  nullable,
  number,
  object,
  required,
  set,
  string,
} from '../../schema/language.ts';
import { sampleValue } from '../../schema/sample.ts';
import { validate } from '../../schema/validate.ts';
import { arbitraryValue } from '../../schema/arbitrary.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const scalars: readonly JSONSchemaProps[] = [
  string(''),
  string('', { minLength: 2, maxLength: 4 }),
  string('', { pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 12 }),
  string('', { pattern: '^(?i)(abort|warn)?$' }),
  string('', { format: 'date-time' }),
  string('', { format: 'duration' }),
  string('', { format: 'ipv4' }),
  string('', { format: 'byte' }),
  string('', { format: 'uuid' }),
  string('', { format: 'uri' }),
  string('', { format: 'mac' }),
  enumOf('', ['a', 'b', 'c']),
  integer(''),
  integer('', { format: 'int64' }),
  integer('', { minimum: -3, maximum: 12, exclusiveMinimum: true }),
  integer('', { multipleOf: 7, minimum: 1, maximum: 100 }),
  number('', { minimum: 0, maximum: 1, exclusiveMaximum: true }),
  intOrString('', { pattern: '^[0-9]+%$', minimum: 0 }),
  { type: 'boolean' },
];

/** Generates schemas, a few levels deep. */
const schemas = fc.letrec<{ schema: JSONSchemaProps; object: JSONSchemaProps }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...scalars),
    fc.constantFrom(...scalars).map((one) => nullable(one)),
    tie('object'),
    fc
      .tuple(tie('schema'), fc.nat({ max: 2 }))
      .map(([one, minItems]) => list('', one, { minItems })),
    tie('schema').map((one) => map('', one, { maxProperties: 2 })),
    fc.constantFrom(...scalars).map((one) => set('', one as (typeof scalars)[0] & object as never)),
    tie('object').map((one) => {
      const { properties = {} } = one;
      const key = required(string('', { maxLength: 5 }));
      return listMap(
        '',
        'key' as never,
        { ...object('', { ...(properties as object), key }) } as never,
      );
    }),
    fc.constant(anything('')),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'name-x'), tie('schema'), { maxKeys: 4 }),
      fc.subarray(['a', 'b', 'c']),
      fc.constantFrom<object>({}, { preserveUnknownFields: true }, { not: { required: ['zz'] } }),
      fc.boolean(),
    )
    .map(([fields, names, options, union]) => {
      const properties = Object.fromEntries(
        Object.entries(fields).map(([name, one]) => [
          name,
          names.includes(name) ? required(one as never) : one,
        ]),
      );
      const [first, second] = Object.keys(properties).filter((name) => !names.includes(name));
      const oneOf = [{ required: [first!] }, { required: [second!] }];
      return object('', properties, { ...options, ...(union && second && { oneOf }) });
    }),
}));

test('every value of the arbitrary of any schema is valid', () => {
  fc.assert(
    fc.property(schemas.schema, fc.integer(), (schema, seed) => {
      for (const value of fc.sample(arbitraryValue(schema), { seed, numRuns: 8 })) {
        expect(validate(schema, value)).toEqual([]);
      }
    }),
    runs(150),
  );
});

test('the samples of any schema are valid', () => {
  fc.assert(
    fc.property(schemas.schema, (schema) => {
      for (const full of [false, true]) {
        expect(validate(schema, sampleValue(schema, { full }))).toEqual([]);
      }
    }),
    runs(150),
  );
});

const found = (schema: JSONSchemaProps, is: (value: Json) => boolean): boolean =>
  fc.sample(arbitraryValue(schema), { seed: 1, numRuns: 300 }).some(is);

const record = (value: Json): Record<string, Json> => value as Record<string, Json>;

test.each<[string, JSONSchemaProps, (value: Json) => boolean]>([
  ['an empty list', list('', string('')), (value) => (value as Json[]).length === 0],
  [
    'the longest list',
    list('', string(''), { maxItems: 5 }),
    (value) => (value as Json[]).length === 5,
  ],
  [
    'the shortest text',
    string('', { minLength: 3 }),
    (value) => [...(value as string)].length === 3,
  ],
  [
    'the longest text',
    string('', { maxLength: 63 }),
    (value) => [...(value as string)].length === 63,
  ],
  ['a text beyond UTF-16', string(''), (value) => /[\u{10000}-\u{10FFFF}]/u.test(value as string)],
  ['the smallest number', integer('', { minimum: -7 }), (value) => value === -7],
  ['the edge of 32 bits', integer('', { format: 'int64' }), (value) => value === 2 ** 31],
  [
    'the edge of what JSON holds',
    integer('', { format: 'int64' }),
    (value) => value === 2 ** 53 - 1,
  ],
  ['null', nullable(string('')), (value) => value === null],
  ['no optional field', object('', { a: string('') }), (value) => !('a' in record(value))],
  ['an optional field', object('', { a: string('') }), (value) => 'a' in record(value)],
  [
    'an unknown field',
    object('', { a: string('') }, { preserveUnknownFields: true }),
    (value) => Object.keys(record(value)).some((name) => name !== 'a'),
  ],
  ['a number', intOrString(''), (value) => typeof value === 'number'],
  ['a text', intOrString(''), (value) => typeof value === 'string'],
])('the values include %s', (_, schema, is) => {
  expect(found(schema, is)).toBe(true);
});

test('values shrink to the smallest that still fails', () => {
  const schema = object('', {
    size: required(integer('', { minimum: 2 })),
    names: list('', string('', { minLength: 1 })),
    note: string(''),
    name: string('', { pattern: '^[a-z]+-[a-z]+$' }),
  });
  const details = fc.check(
    fc.property(arbitraryValue(schema), (value) => !('names' in record(value))),
    runs(100),
  );
  expect(details.counterexample).toEqual([{ size: 2, names: [] }]);
});

test('samples meet conditions that chance does not', () => {
  const schema = object(
    '',
    { a: required(string('')), n: required(integer('')) },
    {
      anyOf: [{ properties: { a: { enum: ['only this'] }, n: { enum: [123_456] } } }],
    },
  );
  const one = { a: 'only this', n: 123_456 };
  expect(fc.sample(arbitraryValue(schema), { seed: 1, numRuns: 3 })).toEqual([one, one, one]);
});

test('a schema without valid values is reported, without an endless search', () => {
  const schema = object('', { a: required(string('', { enum: ['b'], pattern: '^c$' } as never)) });
  expect(() => fc.sample(arbitraryValue(schema), { seed: 1, numRuns: 1 })).toThrow(
    'a must have an example',
  );
});
