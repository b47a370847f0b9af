import { expect, test } from '@jest/globals';
import { formatFinding } from '@tenantry/kube/finding';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import { jitCompile } from '../../../schema/validator/code.ts';
import { getNode } from '../../../schema/validator/node.ts';
import { compileSchema } from '../../../schema/validator.ts';

const text = (rest: JSONSchemaProps = {}): JSONSchemaProps => ({ type: 'string', ...rest });
const object = (
  properties: Record<string, JSONSchemaProps>,
  rest: JSONSchemaProps = {},
): JSONSchemaProps => ({ type: 'object', properties, ...rest });

/** Collects all findings, and expects the same ones from generated code. */
function collectFindings(schema: JSONSchemaProps, value: unknown): string[] {
  const { check } = compileSchema(schema);
  const { errors, notChecked } = check(value);
  jitCompile(getNode(schema, 'strict'));
  expect(check(value)).toEqual(expect.objectContaining({ errors, notChecked }));
  return [...errors, ...notChecked].map(formatFinding);
}

const string = (message: string) => `must be a string, got ${message}`;
const unsure: JSONSchemaProps = { 'x-kubernetes-int-or-string': true, maximum: 2 ** 70 };

test.each<[string, JSONSchemaProps, unknown, string[]]>([
  [
    'in the order of the document, and not of the schema',
    object({ a: text(), b: text(), c: text() }),
    { c: 1, other: 2, b: 'x', a: 3 },
    [
      `c ${string('1')}`,
      "other must be a known field, got 'other'; known: a, b, c",
      `a ${string('3')}`,
    ],
  ],
  [
    'missing fields before existing ones',
    object({ a: text(), b: text(), c: text() }, { required: ['b'] }),
    { c: 1, a: 2 },
    ['b must be a string, got nothing', `c ${string('1')}`, `a ${string('2')}`],
  ],
  [
    'too many entries and none of their errors',
    { type: 'object', additionalProperties: text(), maxProperties: 1 },
    { b: 1, a: 2 },
    ['must have at most 1 entry, got 2'],
  ],
  [
    'too few entries and none of their errors',
    { type: 'object', additionalProperties: text(), minProperties: 2 },
    { b: 1 },
    ['must have at least 2 entries, got 1'],
  ],
  [
    'an error within a list in a map',
    { type: 'object', additionalProperties: { type: 'array', items: text() } },
    { b: ['x', 1], a: [2] },
    [`b[1] ${string('1')}`, `a[0] ${string('2')}`],
  ],
  [
    'a duplicate item after an item with an error',
    { type: 'array', items: text(), 'x-kubernetes-list-type': 'set' },
    ['a', 1, 'a'],
    [`[1] ${string('1')}`, "[2] must be unique in the list, got 'a' again (first at [0])"],
  ],
  [
    'a duplicate item',
    { type: 'array', items: text(), 'x-kubernetes-list-type': 'set' },
    ['a', 'a'],
    ["[1] must be unique in the list, got 'a' again (first at [0])"],
  ],
  [
    'a rule if all values within are valid',
    object({ a: text() }, { 'x-kubernetes-validations': [{ rule: 'self.a == "x"' }] }),
    { a: 'y' },
    ['failed rule: self.a == "x"'],
  ],
  [
    'no rule if a value within has an error',
    object({ a: text() }, { 'x-kubernetes-validations': [{ rule: 'self.a == "x"' }] }),
    { a: 1 },
    [`a ${string('1')}`],
  ],
  [
    'a combinator if all values within are valid',
    object({ a: text(), b: text() }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    { a: 'x', b: 'x' },
    ['must have exactly one of a, b, got a mapping'],
  ],
  [
    'the kind of a value with an error itself',
    object({ a: { type: 'array', items: text() }, b: object({}) }),
    { a: {}, b: [] },
    ['a must be a list, got a mapping', 'b must be a mapping, got an empty list'],
  ],
  [
    'a null where nothing else is allowed',
    object({ a: { type: 'array', nullable: true, items: text() } }),
    { a: null },
    [],
  ],
  [
    'an undecided value, and a rule about it',
    object({ a: unsure }, { 'x-kubernetes-validations': [{ rule: 'self.a == 2' }] }),
    { a: 1 },
    [
      'failed rule: self.a == 2',
      'a a bound of more than 64 bits depends on the processor of the API server',
    ],
  ],
  [
    'an error within a part for which no code is generated',
    object({ a: object({ b: text() }, { 'x-kubernetes-preserve-unknown-fields': true }) }),
    { a: { c: 1, b: 2 } },
    [`a.b ${string('2')}`],
  ],
])('the findings include %s', (_name, schema, value, wanted) => {
  expect(collectFindings(schema, value)).toEqual(wanted);
});

test('an inherited name is an unknown field, and its own value is validated', () => {
  const schema = object({ constructor: text(), a: text() });
  expect(collectFindings(schema, { a: 'x' })).toEqual([]);
  expect(collectFindings(schema, { constructor: 1, toString: 2 })).toEqual([
    `constructor ${string('1')}`,
    "toString must be a known field, got 'toString'; known: constructor, a",
  ]);
});

test('the innermost part of a deep value is read a few times, whatever the depth', () => {
  let reads = 0;
  const innermost = {
    get name(): number {
      reads += 1;
      return 1;
    },
  };
  let [schema, value]: [JSONSchemaProps, unknown] = [object({ name: text() }), innermost];
  for (let depth = 1; depth < 200; depth += 1) {
    schema = object({ name: text(), inner: schema });
    value = { name: 'x', inner: value };
  }
  const { check } = compileSchema(schema);
  expect(check(value).errors.map(({ path }) => path.length)).toEqual([200]);
  expect(reads).toBeLessThan(25);
});

test('with an old value, the whole value is validated', () => {
  const schema = object({ a: text(), b: text() });
  const { check } = compileSchema(schema);
  const messages = (oldValue: unknown) =>
    check({ b: 1, a: 2 }, { oldValue }).errors.map(formatFinding);
  expect(messages({})).toEqual([`b ${string('1')}`, `a ${string('2')}`]);
  expect(messages({ b: 1, a: 3 })).toEqual([`a ${string('2')}`]);
});
