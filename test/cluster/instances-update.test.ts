import { expect } from '@jest/globals';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';
import type { Body } from '../control-plane/objects.ts';
import { sharedCluster } from '../control-plane/shared.ts';
import { until } from '../control-plane/until.ts';
import { ManySchemas } from './instances.ts';

const given = await sharedCluster();
const { test } = given;

const text = (rest: JSONSchemaProps = {}): JSONSchemaProps => ({ type: 'string', ...rest });
const object = (properties: Record<string, JSONSchemaProps>, rest: JSONSchemaProps = {}) => ({
  type: 'object',
  properties,
  ...rest,
});
const listOf = (items: JSONSchemaProps, type: 'map' | 'set' | 'atomic'): JSONSchemaProps => ({
  type: 'array',
  items,
  maxItems: 9,
  'x-kubernetes-list-type': type,
  ...(type === 'map' && { 'x-kubernetes-list-map-keys': ['name'] }),
});

interface Case {
  readonly about: string;
  readonly schema: JSONSchemaProps;
  readonly before: unknown;
  readonly after: readonly unknown[];
}

const fixed = text({
  maxLength: 9,
  'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'must not change' }],
});
const part = object({ name: text({ maxLength: 9 }), size: fixed }, { required: ['name'] });

const transitions: readonly Case[] = [
  { about: 'a value', schema: fixed, before: 'a', after: ['a', 'b'] },
  {
    about: 'fields and entries',
    schema: { type: 'object', additionalProperties: object({ a: fixed }), maxProperties: 9 },
    before: { x: { a: 'a' }, y: {} },
    after: [{ x: { a: 'a' } }, { x: { a: 'b' } }, { y: { a: 'b' } }, { z: { a: 'b' } }],
  },
  {
    about: 'items by their keys',
    schema: listOf(part, 'map'),
    before: [
      { name: 'a', size: 'x' },
      { name: 'b', size: 'y' },
    ],
    after: [
      [
        { name: 'b', size: 'y' },
        { name: 'a', size: 'x' },
      ],
      [
        { name: 'b', size: 'x' },
        { name: 'a', size: 'y' },
      ],
      [
        { name: 'c', size: 'z' },
        { name: 'b', size: 'z' },
      ],
      [{ name: 'c', size: 'z' }],
    ],
  },
  {
    about: 'a rule that is asked of new values too',
    schema: text({
      maxLength: 9,
      'x-kubernetes-validations': [
        { rule: "oldSelf.orValue('a') == self", message: 'must be a', optionalOldSelf: true },
      ],
    }),
    before: 'a',
    after: ['a', 'b'],
  },
];

test('a change is allowed here and by the API server, or by neither', async () => {
  const kind = new ManySchemas(
    given.cluster.admin,
    transitions.map(({ schema }) => schema),
  );
  await kind.serve();
  for (const [index, { about, before, after }] of transitions.entries()) {
    const old = await kind.store(kind.object(index, before, { name: `a${index}` }));
    for (const value of after) {
      const changed = { ...old, spec: { [`f${index}`]: value } };
      const verdict = { about, value, ours: kind.allows(changed, old) };
      expect(verdict).toEqual({ about, value, ours: await kind.serverAllows(changed) });
    }
  }
});

const short = text({ maxLength: 1 });
const lax: readonly JSONSchemaProps[] = [
  object({ a: text(), b: text() }),
  listOf(object({ name: text(), b: text() }, { required: ['name'] }), 'map'),
  { type: 'array', items: text() },
  object({ a: text(), b: text() }),
  object({ a: text(), b: text() }),
  object({ a: text(), b: text() }),
];
const tight: readonly JSONSchemaProps[] = [
  object({ a: short, b: short }, { required: ['a'] }),
  listOf(object({ name: text(), b: short }, { required: ['name'] }), 'map'),
  { type: 'array', items: short },
  object({ a: text(), b: text() }, { allOf: [{ properties: { a: { maxLength: 1 } } }] }),
  object({ a: text(), b: text() }, { anyOf: [{ properties: { a: { maxLength: 1 } } }] }),
  object(
    { a: text({ maxLength: 9, 'x-kubernetes-validations': [{ rule: "self == 'x'" }] }), b: text() },
    { 'x-kubernetes-validations': [{ rule: '!has(self.b)' }] },
  ),
];
const stored: readonly unknown[] = [
  { a: 'long', b: 'long' },
  [
    { name: 'x', b: 'long' },
    { name: 'y', b: 'long' },
  ],
  ['long'],
  { a: 'long', b: 'long' },
  { a: 'long', b: 'long' },
  { a: 'y', b: 'y' },
];
const changes: readonly (readonly unknown[])[] = [
  [{ a: 'long', b: 'x' }, { a: 'long', b: 'longer' }, { b: 'long' }, { a: 'longer', b: 'x' }],
  [
    [
      { name: 'y', b: 'long' },
      { name: 'x', b: 'x' },
    ],
    [{ name: 'z', b: 'long' }],
    [
      { name: 'x', b: 'longer' },
      { name: 'y', b: 'long' },
    ],
  ],
  [['long', 'x'], ['x']],
  [
    { a: 'long', b: 'x' },
    { a: 'longer', b: 'x' },
  ],
  [
    { a: 'long', b: 'x' },
    { a: 'longer', b: 'x' },
  ],
  [{ a: 'y', b: 'y' }, { a: 'y', b: 'z' }, { a: 'y' }, { a: 'z' }, { a: 'x' }],
];

test('what a new schema refuses stays as long as nobody changes it, here and at the API server', async () => {
  const { admin } = given.cluster;
  const kind = new ManySchemas(admin, lax);
  await kind.serve();
  const olds: Body[] = [];
  for (const [i, value] of stored.entries()) {
    olds.push(await kind.store(kind.object(i, value, { name: `a${i}` })));
  }
  const tightened = kind.with(tight);
  await tightened.serve();
  const fresh = kind.object(0, { a: 'long' }, { name: 'fresh' });
  await until('the new schema is served', 30, async () => !(await kind.servers(fresh)).isAccepted);
  for (const [i, values] of changes.entries()) {
    for (const value of values) {
      const changed = { ...olds[i], spec: { [`f${i}`]: value } };
      const verdict = { i, value, ours: tightened.allows(changed, olds[i]!) };
      expect(verdict).toEqual({ i, value, ours: await tightened.serverAllows(changed) });
    }
  }
});
