import { expect, test } from '@jest/globals';
import { formatPath } from '@tenantry/kube/problem';
import {
  boolean,
  embeddedResource,
  integer,
  intOrString,
  listMap,
  list,
  map,
  object,
  enumOf,
  required,
  set,
  string,
} from '@tenantry/crd/schema/language';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { validate, validateTyped } from '@tenantry/crd/schema/validate';
import { tenant } from '../../crds/tenant.ts';

function collectErrors(schema: JSONSchemaProps, value: unknown): string[] {
  return validate(schema, value).map(({ path, message }) =>
    path.length === 0 ? message : `${formatPath(path)} ${message}`,
  );
}

const port = intOrString('A port.', { pattern: '^[a-z]+$', minimum: 1, maximum: 9, maxLength: 3 });
const named = object('A thing.', { name: required(string('Its name.')), size: integer('Big.') });

test.each<[string, JSONSchemaProps, unknown, string[]]>([
  ['a string is a string', string(''), 'a', []],
  ['a number is not a string', string(''), 1, ['must be a string, got 1']],
  ['null is not a string', string(''), null, ['must be a string, got null']],
  [
    'a short string',
    string('', { minLength: 2 }),
    'a',
    ["must be a string of at least 2 characters, got 'a'"],
  ],
  [
    'a long string',
    string('', { maxLength: 1 }),
    'ab',
    ["must be a string of at most 1 character, got 'ab'"],
  ],
  ['a character beyond UTF-16 counts once', string('', { maxLength: 1 }), '😀', []],
  [
    'a pattern, with what it means',
    string('', { pattern: '^a$', must: 'an a' }),
    'b',
    ["must be an a, got 'b'"],
  ],
  [
    'a line break at the end does not match',
    string('', { pattern: '^a$', must: 'an a' }),
    'a\n',
    ["must be an a, got 'a\\n'"],
  ],
  ['one of a list', enumOf('', ['a', 'b']), 'c', ["must be one of a, b, got 'c'"]],
  ['an integer', integer(''), 2147483647, []],
  ['a fraction is not an integer', integer(''), 1.5, ['must be a whole number, got 1.5']],
  [
    'more than 32 bits',
    integer(''),
    2147483648,
    ['must be a whole number of 32 bits, got 2147483648'],
  ],
  [
    'bounds',
    integer('', { minimum: 1, maximum: 3 }),
    4,
    ['must be a whole number of at least 1 and at most 3, got 4'],
  ],
  ['infinity is not a number', { type: 'number' }, Infinity, ['must be a number, got Infinity']],
  ['a fraction is a number', { type: 'number' }, 0.5, []],
  ['a boolean', boolean(''), 'true', ["must be true or false, got 'true'"]],
  ['a number where a string would do', port, 3, []],
  ['a string where a number would do', port, 'ab', []],
  ['bounds are for numbers', port, 10, ['must be a whole number or a string, got 10']],
  ['patterns are for strings', port, '3', ["must be a whole number or a string, got '3'"]],
  ['lengths are for strings', port, 'abcd', ["must be a whole number or a string, got 'abcd'"]],
  ['a fraction is neither', port, 1.5, ['must be a whole number or a string, got 1.5']],
  ['a list is neither', port, [], ['must be a whole number or a string, got an empty list']],
  ['a list', list('', string('')), {}, ['must be a list, got a mapping']],
  [
    'every item',
    list('', string('')),
    ['a', 1, null],
    ['[1] must be a string, got 1', '[2] must be a string, got null'],
  ],
  [
    'too many items, reported once',
    list('', string(''), { maxItems: 1 }),
    [1, 2],
    ['must have at most 1 item, got 2'],
  ],
  [
    'too few items',
    list('', string(''), { minItems: 1 }),
    [],
    ['must have at least 1 item, got 0'],
  ],
  [
    'a wrong number of items if only one is allowed',
    list('', string(''), { minItems: 2, maxItems: 2 }),
    [],
    ['must have exactly 2 items, got 0'],
  ],
  [
    'too many items for a range',
    list('', string(''), { minItems: 1, maxItems: 2 }),
    ['a', 'b', 'c'],
    ['must have 1 to 2 items, got 3'],
  ],
  ['a list may repeat', list('', string('')), ['a', 'a'], []],
  [
    'a set may not',
    set('', string('')),
    ['a', 'b', 'a'],
    ["[2] must be unique in the list, got 'a' again (first at [0])"],
  ],
  ['1 and "1" are two', set('', intOrString('')), [1, '1'], []],
  [
    'the key of a list of objects',
    listMap('', 'name', named),
    [{ name: 'a' }, { name: 'a' }],
    ["[1].name must be unique in the list, got 'a' again (first at [0])"],
  ],
  [
    'a missing key is reported once',
    listMap('', 'name', named),
    [{}, {}],
    ['[0].name must be a string, got nothing', '[1].name must be a string, got nothing'],
  ],
  ['a mapping', named, [], ['must be a mapping, got an empty list']],
  ['null is not a mapping', named, null, ['must be a mapping, got null']],
  ['a required field', named, { size: 1 }, ['name must be a string, got nothing']],
  ['a required field that is null', named, { name: null }, ['name must be a string, got null']],
  [
    'a mistyped field',
    named,
    { name: 'a', sise: 1 },
    ["sise must be a known field, got 'sise'; did you mean 'size'?"],
  ],
  [
    'an unknown field',
    named,
    { name: 'a', colour: 1 },
    ["colour must be a known field, got 'colour'; known: name, size"],
  ],
  [
    'an inherited name is not a field',
    named,
    { name: 'a', toString: 1 },
    ["toString must be a known field, got 'toString'; known: name, size"],
  ],
  [
    '__proto__ is not a field',
    named,
    JSON.parse('{"name":"a","__proto__":{}}'),
    ["__proto__ must be a known field, got '__proto__'; known: name, size"],
  ],
  [
    'inherited fields do not count',
    named,
    Object.create({ name: 'a' }),
    ['name must be a string, got nothing'],
  ],
  ['free keys', map('', integer('')), { a: 1, b: 'x' }, ["b must be a whole number, got 'x'"]],
  [
    'too many keys',
    map('', integer(''), { maxProperties: 1 }),
    { a: 1, b: 1 },
    ['must have at most 1 entry, got 2'],
  ],
  [
    'too few keys',
    map('', integer(''), { minProperties: 1 }),
    {},
    ['must have at least 1 entry, got 0'],
  ],
  [
    'an object of Kubernetes is a mapping',
    embeddedResource('', { must: 'an object' }),
    'x',
    ["must be an object, got 'x'"],
  ],
])('%s', (_name, schema, value, expected) => {
  expect(collectErrors(schema, value)).toEqual(expected);
});

test('a rule is evaluated only if the value around it is well-formed', () => {
  const ordered = object(
    'Two numbers.',
    { low: required(integer('')), high: required(integer('')) },
    { rules: [{ rule: 'self.low <= self.high', message: 'must have low at most high' }] },
  );
  expect(collectErrors(ordered, { low: 'x', high: 1 })).toEqual([
    "low must be a whole number, got 'x'",
  ]);
  expect(collectErrors(ordered, { low: 2 })).toEqual(['high must be a whole number, got nothing']);
  expect(collectErrors(ordered, { low: 2, high: 1 })).toEqual(['must have low at most high']);
  expect(
    collectErrors(list('', ordered), [
      { low: 1, high: 2 },
      { low: 2, high: 1 },
    ]),
  ).toEqual(['[1] must have low at most high']);
});

test('all errors are reported at once, in the order of the document', () => {
  const spec = { quota: { hard: { cpu: 'half', memory: [] } }, classname: 'x', className: 'X' };
  const head = { apiVersion: 'tenantry.dev/v1alpha1', kind: 'Tenant', metadata: { name: 'x' } };
  expect(collectErrors(tenant.file, { ...head, spec })).toEqual([
    "spec.quota.hard.cpu must be a quantity such as '500m', '2Gi' or 10, or 'unlimited', got 'half'",
    "spec.quota.hard.memory must be a quantity such as '500m', '2Gi' or 10, or 'unlimited', got an empty list",
    "spec.classname must be a known field, got 'classname'; did you mean 'className'?",
    "spec.className must be a DNS label: lower-case letters, digits and '-', at most 63 characters, got 'X'",
  ]);
});

test('a valid value has the type of its schema, without defaults', () => {
  const schema = object('A pet.', {
    name: required(string('Its name.')),
    legs: integer('Its legs.', { default: 4 }),
  });
  const written = { name: 'rex' };
  const read = validateTyped(schema, written);
  const name: string | undefined = read.value?.name;
  const legs: number | undefined = read.value?.legs;
  expect([name, legs]).toEqual(['rex', undefined]);
  expect(read.value).toBe(written);
  expect(validateTyped(schema, { legs: 4 })).toEqual({ errors: validate(schema, { legs: 4 }) });
});
