import { expect, test } from '@jest/globals';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import { compileSchema } from '../../../schema/validator.ts';

const either: JSONSchemaProps = { 'x-kubernetes-int-or-string': true };
const plainEither = { ...either, anyOf: [{ type: 'integer' }, { type: 'string' }] };
const integer = (rest: JSONSchemaProps): JSONSchemaProps => ({ type: 'integer', ...rest });
const number = (rest: JSONSchemaProps): JSONSchemaProps => ({ type: 'number', ...rest });
const text = (rest: JSONSchemaProps): JSONSchemaProps => ({ type: 'string', ...rest });
const bounds = { minimum: 1, maximum: 3 } as const;
const excluded = { exclusiveMinimum: true, exclusiveMaximum: true } as const;
const everything = [null, true, 'a', 1, 1n, [], {}];
const without = (...values: unknown[]) => everything.filter((one) => !values.includes(one));

test.each<[string, JSONSchemaProps, readonly unknown[]]>([
  ['type', text({}), without('a')],
  ['type', { type: 'boolean' }, without(true)],
  ['type', text({ nullable: true }), without('a', null)],
  ['type', integer({}), [null, true, 'a', [], {}, 1.5]],
  ['type', { type: 'array', items: {} }, [null, true, 'a', 1, 1n, {}]],
  ['type', { type: 'object' }, [null, true, 'a', 1, 1n, []]],
  ['type', text({ enum: ['a'] }), [null, 1, true]],
  ['type', { type: 'boolean', enum: [true] }, [null, 'a']],
  ['type', number({}), [NaN, Infinity]],
  ['type', integer({ format: 'int32', enum: [1] }), [1.5]],
  ['type', integer({ multipleOf: 2, ...bounds, enum: [2] }), [2.5]],
  ['x-kubernetes-int-or-string', either, [true, [], {}, 1.5]],
  ['x-kubernetes-int-or-string', { ...either, ...bounds }, [1.5, true]],
  ['x-kubernetes-int-or-string', plainEither, [1.5, 1.0000000000001, true]],
  ['enum', text({ enum: ['a'] }), ['b', '']],
  ['enum', text({ enum: ['a'], minLength: 2 }), ['b']],
  ['enum', text({ enum: ['a'], nullable: true }), [null, 'b']],
  ['enum', { enum: ['a'] }, [null, 'b', 1, true, [], {}]],
  ['enum', integer({ enum: [1, 2] }), [3]],
  ['enum', integer({ enum: [1, 2], ...bounds }), [3]],
  ['enum', integer({ enum: [2], ...bounds }), [1, 3]],
  ['enum', integer({ enum: [2, 4], multipleOf: 2 }), [6]],
  ['enum', { type: 'boolean', enum: [true] }, [false]],
  ['enum', { type: 'array', items: {}, enum: [[]] }, [[1]]],
  ['enum', { type: 'object', enum: [{}] }, [{ a: 1 }]],
  ['minLength', text({ minLength: 2, maxLength: 3, pattern: '^a' }), ['', 'a', 'b']],
  ['minLength', { ...either, minLength: 2 }, ['a']],
  ['maxLength', text({ minLength: 2, maxLength: 3, pattern: '^a' }), ['aaaa', 'bbbb']],
  ['maxLength', text({ maxLength: 0 }), ['a']],
  ['maxLength', text({ maxLength: 1, format: 'ipv4' }), ['aa', '1.2.3.4']],
  ['pattern', text({ minLength: 1, maxLength: 3, pattern: '^a' }), ['b', 'bbb']],
  ['pattern', text({ pattern: '^a', format: 'ipv4' }), ['b', '1.2.3.4']],
  ['pattern', text({ pattern: '^a', format: 'unheard-of' }), ['b']],
  ['pattern', text({ enum: ['a', 'b'], pattern: '^a' }), ['b']],
  ['format', text({ format: 'ipv4' }), ['b']],
  ['format', text({ pattern: '^a', format: 'ipv4', minLength: 1, maxLength: 3 }), ['a']],
  ['format', integer({ format: 'int32' }), [2 ** 31]],
  ['format', number({ format: 'float', maximum: 1 }), [1e300]],
  ['format', { format: 'ipv4' }, [1, 1.5, 2n ** 64n]],
  ['multipleOf', integer({ multipleOf: 2, ...bounds }), [1, 3, 5]],
  ['multipleOf', integer({ multipleOf: 2, enum: [3] }), [3]],
  ['maximum', integer(bounds), [4, 4n]],
  ['maximum', integer({ ...bounds, ...excluded }), [3, 4]],
  ['maximum', integer({ maximum: 4, multipleOf: 2 }), [6]],
  ['maximum', number({ maximum: 1.5 }), [1.6, 2]],
  ['maximum', { ...either, maximum: 3 }, [4]],
  ['minimum', integer(bounds), [0, -1n]],
  ['minimum', integer({ ...bounds, ...excluded }), [1, 0]],
  ['minimum', integer({ minimum: 4, multipleOf: 2 }), [2]],
  ['minimum', number({ minimum: 1.5 }), [0, 1.4]],
])('the keyword %s of %j excludes each of %j', (rule, schema, values) => {
  const rules = values.map((value) =>
    compileSchema(schema)
      .check(value)
      .errors.map((one) => one.rule),
  );
  expect(rules).toEqual(values.map(() => [rule]));
});

test.each<[string, JSONSchemaProps, unknown, string[]]>([
  ['too few items', { type: 'array', items: {}, minItems: 1, maxItems: 2 }, [], ['minItems']],
  ['too many', { type: 'array', items: {}, minItems: 1, maxItems: 2 }, [1, 2, 3], ['maxItems']],
  [
    'too few entries',
    { type: 'object', additionalProperties: {}, minProperties: 1, maxProperties: 1 },
    {},
    ['minProperties'],
  ],
  [
    'too many entries',
    { type: 'object', additionalProperties: {}, minProperties: 1, maxProperties: 1 },
    { a: 1, b: 1 },
    ['maxProperties'],
  ],
  [
    'a field that is missing',
    { type: 'object', required: ['a'], properties: { a: {} } },
    {},
    ['required'],
  ],
  ['a field that is not declared', { type: 'object' }, { a: 1 }, ['unknown-field']],
  [
    'an item twice in a set',
    { type: 'array', items: integer({}), 'x-kubernetes-list-type': 'set' },
    [1, 1],
    ['x-kubernetes-list-type'],
  ],
  [
    'an item twice',
    { type: 'array', items: integer({}), uniqueItems: true },
    [1, 1],
    ['uniqueItems'],
  ],
  ['none of anyOf', text({ anyOf: [{ minLength: 2 }] }), 'a', ['anyOf']],
  ['two of oneOf', text({ oneOf: [{ minLength: 2 }, { minLength: 1 }] }), 'aa', ['oneOf']],
  ['what not refuses', text({ not: { minLength: 2 } }), 'aa', ['not']],
  [
    'two items of at least two and at most one',
    { type: 'array', minItems: 2, maxItems: 1 },
    [1, 2],
    ['maxItems'],
  ],
  [
    'two entries of at least two and at most one',
    { type: 'object', additionalProperties: {}, minProperties: 2, maxProperties: 1 },
    { a: 1, b: 1 },
    ['maxProperties'],
  ],
  [
    'a rule of CEL',
    text({ 'x-kubernetes-validations': [{ rule: "self == 'a'" }] }),
    'b',
    ['x-kubernetes-validations'],
  ],
  ['what allOf refuses', text({ allOf: [{ minLength: 2 }] }), 'a', ['minLength']],
])('%s', (_name, schema, value, rules) => {
  expect(
    compileSchema(schema)
      .check(value)
      .errors.map(({ rule }) => rule),
  ).toEqual(rules);
});
