import { expect, test } from '@jest/globals';
import { formatFinding } from '@tenantry/kube/finding';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import { explain, NO_OLD_VALUE } from '../../../schema/validator/explain.ts';
import { getNode } from '../../../schema/validator/node.ts';
import {
  jitCompileSearch,
  translateSearch,
  findErrorCandidates,
} from '../../../schema/validator/error-candidates.ts';
import type { ErrorCandidate, ErrorCandidates } from '../../../schema/validator/types.ts';
import { compileSchema } from '../../../schema/validator.ts';

const text = (rest: JSONSchemaProps = {}): JSONSchemaProps => ({ type: 'string', ...rest });
const object = (
  properties: Record<string, JSONSchemaProps>,
  rest: JSONSchemaProps = {},
): JSONSchemaProps => ({ type: 'object', properties, ...rest });

const place = object(
  {
    port: { type: 'integer', minimum: 1, maximum: 65535 },
    names: { type: 'array', maxItems: 3, items: text() },
    labels: { type: 'object', additionalProperties: text(), maxProperties: 2 },
  },
  { required: ['port'] },
);

test('the code of a search is readable, and contains no text of the schema', () => {
  const { program, nodes } = translateSearch(
    getNode(
      object({ port: { type: 'boolean' }, names: { type: 'array', items: text() } }),
      'strict',
    ),
  );
  expect(nodes).toHaveLength(2);
  expect(program.text()).toBe(
    `'use strict';
const [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11] = constants;
function search0(value, doubts) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return c1(value, doubts) ? undefined : 'anywhere';
  const first = value[c2];
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return c1(value, doubts) ? undefined : 'anywhere';
  let found;
  let there = 0;
  let count = 0;
  {
    const field = first;
    if (field !== undefined) {
      there++;
      if (!(typeof field === 'boolean' || c3(field, doubts))) found = c5(found, c2, c4, field, 'anywhere');
    }
  }
  {
    const field = value[c6];
    if (field !== undefined) {
      there++;
      const suspects = search1(field, doubts); if (suspects !== undefined) found = c5(found, c6, c10, field, suspects);
    }
  }
  for (const key in value) {
    count++;
  }
  if (there !== count) for (const key of Object.keys(value)) if (!c11.has(key) || value[key] === undefined) found = c5(found, key, c11.get(key), value[key], 'anywhere');
  if (found !== undefined) return found;
  return undefined;
}
function search1(value, doubts) {
  if (!Array.isArray(value)) return c7(value, doubts) ? undefined : 'anywhere';
  let found;
  for (let i = 0; i < value.length; i++) {
    const item = value[i];
    if (!(typeof item === 'string' || c8(item, doubts))) found = c5(found, i, c9, item, 'anywhere');
  }
  if (found !== undefined) return found;
  return undefined;
}
return [search0, search1];`,
  );
});

/** Formats the suspects: `*` for the value itself, `?` for anywhere. */
function written(suspects: ErrorCandidates | undefined): string {
  if (suspects === undefined) return 'valid';
  if (suspects === 'anywhere') return '?';
  return `${suspects.isSelf ? '*' : ''}(${chained(suspects.first).join(' ')})`;
}

function chained(first: ErrorCandidate | undefined): string[] {
  const found = [];
  for (let one = first; one; one = one.next) found.push(`${one.key}${written(one.suspects)}`);
  return found;
}

test.each<[string, unknown, string]>([
  ['nothing in a valid value', { port: 1, names: ['a'], labels: { a: 'b' } }, 'valid'],
  ['nothing if all optional fields are absent', { port: 1 }, 'valid'],
  ['the value of a field', { port: 0 }, '(port?)'],
  ['every field, in the order of the schema', { names: 1, port: 0 }, '(port? names?)'],
  ['items of a list in their order', { port: 1, names: [1, 'a', 2] }, '(names(0? 2?))'],
  ['a list that is too long itself', { port: 1, names: [1, 2, 3, 4] }, '(names*())'],
  ['entries', { port: 1, labels: { a: 1, b: 'c' } }, '(labels(a?))'],
  [
    'too many entries, and their values',
    { port: 1, labels: { a: 1, b: '', c: '' } },
    '(labels*(a?))',
  ],
  ['an object without a required field', { names: [] }, '*()'],
  ['an object without a required field, and the value of another', { names: [1] }, '*(names(0?))'],
  ['a field that is unknown', { port: 1, Port: 1 }, '(Port?)'],
  ['an unknown field and a wrong one', { Port: 1, port: 0 }, '(port? Port?)'],
  ['a field without a value', { port: 1, names: undefined }, '(names?)'],
  ['anything with a required field that is undefined', { port: undefined }, '?'],
  ['anything of another kind', [], '?'],
  ['anything with another prototype and an error', Object.create({ port: 0 }), '?'],
  [
    'nothing in an object without a prototype',
    Object.assign(Object.create(null), { port: 1 }),
    'valid',
  ],
])('a search suspects %s', (_name, value, wanted) => {
  const node = getNode(place, 'strict');
  jitCompileSearch(node);
  expect(written(findErrorCandidates(node, value))).toBe(wanted);
});

/** Collects all findings at the suspects, and expects the same ones as from a search everywhere. */
function collectFindings(schema: JSONSchemaProps, value: unknown): string[] {
  const everywhere = explain(getNode({ ...schema }, 'strict'), value, [], NO_OLD_VALUE, 'anywhere');
  const node = getNode(schema, 'strict');
  jitCompileSearch(node);
  const suspects = findErrorCandidates(node, value);
  const found =
    suspects === undefined ? undefined : explain(node, value, [], NO_OLD_VALUE, suspects);
  const { errors, notChecked } = found ?? { errors: [], notChecked: [] };
  expect([errors, notChecked]).toEqual([everywhere.errors, everywhere.notChecked]);
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
    'an error within a part that gets no code',
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

test('only the suspected items of a long list are validated', () => {
  const item = object({ name: text() });
  const node = getNode({ type: 'array', items: item }, 'strict');
  jitCompileSearch(node);
  const list = Array.from({ length: 1000 }, (_, i) => ({ name: i % 400 === 399 ? i : 'a' }));
  const suspects = findErrorCandidates(node, list)!;
  expect(written(suspects)).toBe('(399(name?) 799(name?))');
  list[0] = { name: 1 };
  const { errors } = explain(node, list, ['spec', 'list'], NO_OLD_VALUE, suspects);
  expect(errors.map(({ path }) => path)).toEqual([
    ['spec', 'list', 399, 'name'],
    ['spec', 'list', 799, 'name'],
  ]);
});

test('the search of a schema is compiled after two hundred invalid values', () => {
  const schema = object({ a: text() });
  const [{ accepts, check }, node] = [compileSchema(schema), getNode(schema, 'strict')];
  for (let i = 0; i < 500; i += 1) check({ a: 'x' });
  for (let i = 0; i < 500; i += 1) accepts({ a: 1 });
  for (let i = 1; i < 200; i += 1) check({ a: 1 });
  expect(node.search).toBeUndefined();
  const before = check({ a: 1 });
  const { search } = node;
  expect(search).toBeDefined();
  expect(check({ a: 1 })).toEqual(before);
  expect(check({ a: 'x' })).toEqual({ errors: [], warnings: [], notChecked: [] });
  for (let i = 0; i < 500; i += 1) check({ a: 1 });
  expect(node.search).toBe(search);
  node.search = () => undefined;
  expect(check({ a: 1 }).errors).toEqual([]);
});

test('with an old value, the whole value is validated', () => {
  const schema = object({ a: text(), b: text() });
  const node = getNode(schema, 'strict');
  jitCompileSearch(node);
  const { check } = compileSchema(schema);
  const messages = (oldValue: unknown) =>
    check({ b: 1, a: 2 }, { oldValue }).errors.map(formatFinding);
  expect(messages({})).toEqual([`b ${string('1')}`, `a ${string('2')}`]);
  expect(messages({ b: 1, a: 3 })).toEqual([`a ${string('2')}`]);
});
