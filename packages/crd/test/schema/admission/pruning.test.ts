import { expect, test } from '@jest/globals';
import { formatPath } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import { dropNulls, pruneValue } from '../../../schema/admission/pruning.ts';

const text: JSONSchemaProps = { type: 'string' };
const object = (properties: Record<string, JSONSchemaProps>, rest: JSONSchemaProps = {}) => ({
  type: 'object',
  properties,
  ...rest,
});
const preserve = { 'x-kubernetes-preserve-unknown-fields': true } as const;

test.each<[string, JSONSchemaProps, unknown, unknown, string[]]>([
  ['unknown fields go', object({ a: text }), { a: 'x', b: 1, c: {} }, { a: 'x' }, ['b', 'c']],
  [
    'also deep within',
    object({ a: { type: 'array', items: object({ b: text }) } }),
    { a: [{ b: 'x', c: 1 }] },
    { a: [{ b: 'x' }] },
    ['a[0].c'],
  ],
  [
    'also of entries',
    { type: 'object', additionalProperties: object({}) },
    { a: { b: 1 } },
    { a: {} },
    ['a.b'],
  ],
  [
    'what is kept is kept',
    object({ a: object({ b: text }) }, preserve),
    { a: { c: 1 }, d: { e: 1 } },
    { a: {}, d: { e: 1 } },
    ['a.c'],
  ],
  [
    'items of what is kept are kept',
    { type: 'array', items: object({ a: object({}) }), ...preserve },
    [{ b: 1, a: { c: 1 } }],
    [{ b: 1, a: {} }],
    ['[0].a.c'],
  ],
  [
    'entries of any kind keep their scalars alone',
    { type: 'object', additionalProperties: true },
    { a: 1, b: { c: 1 }, d: [{ e: 1 }] },
    { a: 1, b: {}, d: [{}] },
    ['b.c', 'd[0].e'],
  ],
  [
    'an object of Kubernetes keeps its head',
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    { apiVersion: 'v1', kind: 'A', metadata: { x: 1 }, spec: 1 },
    { apiVersion: 'v1', kind: 'A', metadata: { x: 1 } },
    ['spec'],
  ],
  ['scalars have nothing to prune', object({ a: text }), 'x', 'x', []],
  [
    'inherited names are unknown',
    object({ a: text }),
    JSON.parse('{"__proto__":1,"toString":1}'),
    {},
    ['__proto__', 'toString'],
  ],
])('%s', (_name, schema, value, expected, paths) => {
  const before = structuredClone(value);
  const { value: left, pruned } = pruneValue(schema, value);
  expect(left).toEqual(expected);
  expect(pruned.map(formatPath)).toEqual(paths);
  expect(value).toEqual(before);
  if (paths.length === 0) expect(left).toBe(value);
});

test('a whole object keeps its apiVersion, kind and metadata', () => {
  const value = { apiVersion: 'v1', kind: 'A', metadata: { x: 1 }, spec: { a: 'x', b: 1 } };
  const { value: left } = pruneValue(object({ spec: object({ a: text }) }), value, { root: true });
  expect(left).toEqual({ ...value, spec: { a: 'x' } });
});

test('nulls are dropped where they are not allowed and no default replaces them; in lists they stay', () => {
  const schema = object({
    a: text,
    b: { ...text, nullable: true },
    c: { ...text, default: 'x' },
    d: { type: 'array', items: text },
    e: { type: 'object', additionalProperties: text },
    f: preserve,
  });
  const value = { a: null, b: null, c: null, d: [null], e: { x: null, y: 'y' }, f: { z: null } };
  expect(dropNulls(schema, value)).toEqual({
    b: null,
    c: null,
    d: [null],
    e: { y: 'y' },
    f: { z: null },
  });
});
