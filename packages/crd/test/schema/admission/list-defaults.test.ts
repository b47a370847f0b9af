import { expect, test } from '@jest/globals';
import { applyDefaultsInLists } from '../../../schema/admission.ts';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';

const key: JSONSchemaProps = {
  type: 'object',
  properties: { name: { type: 'string' }, policy: { type: 'string', default: 'Keep' } },
};
const keys: JSONSchemaProps = { type: 'array', items: key };
const embedded: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const objectWith = (metadata: unknown) => ({ apiVersion: 'v1', kind: 'A', metadata });
const written = objectWith({ name: 'a', creationTimestamp: null, labels: {}, annotations: null });
const stored = objectWith({ name: 'a' });
const schema: JSONSchemaProps = {
  type: 'object',
  properties: {
    size: { type: 'integer', default: 3 },
    key,
    keys: { ...keys, default: [{}] },
    deep: { type: 'object', properties: { keys } },
    byName: { type: 'object', additionalProperties: keys },
    reference: { ...key, 'x-kubernetes-map-type': 'atomic' },
    granular: { ...key, 'x-kubernetes-map-type': 'granular' },
    open: { type: 'object', nullable: true, 'x-kubernetes-preserve-unknown-fields': true },
    object: embedded,
    objects: { type: 'array', items: { type: 'object', properties: { object: embedded } } },
    atom: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { object: embedded } },
    listed: { ...keys, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
  },
};

test.each<[string, unknown, unknown]>([
  ['what is left out outside of lists stays left out', { key: { name: 'a' } }, undefined],
  ['so does a list that has a default', {}, undefined],
  [
    'items of a list are filled in',
    { keys: [{ name: 'a' }] },
    { keys: [{ name: 'a', policy: 'Keep' }] },
  ],
  ['at any depth', { deep: { keys: [{}] } }, { deep: { keys: [{ policy: 'Keep' }] } }],
  [
    'and under any key of a map',
    { byName: { __a: [{}] } },
    { byName: { __a: [{ policy: 'Keep' }] } },
  ],
  ['so is an atomic mapping', { reference: {} }, { reference: { policy: 'Keep' } }],
  ['no other mapping is', { granular: {} }, undefined],
  [
    'items of a list by keys are',
    { listed: [{ name: 'a' }] },
    { listed: [{ name: 'a', policy: 'Keep' }] },
  ],
  ['what is there stays', { keys: [{ policy: 'Drop' }] }, undefined],
  [
    'a null within is dropped',
    { keys: [{ name: null, policy: 'Drop' }] },
    { keys: [{ policy: 'Drop' }] },
  ],
  ['and gives way to a default', { keys: [{ policy: null }] }, { keys: [{ policy: 'Keep' }] }],
  ['so is one outside of lists', { size: 1, key: { name: null } }, { size: 1, key: {} }],
  ['and its field is nobody’s where it has a default', { size: null, byName: {} }, { byName: {} }],
  ['one under a key of a map too', { byName: { a: null } }, { byName: {} }],
  ['one that may be there stays', { open: null }, undefined],
  ['so does one that is not described', { open: { a: null }, odd: null }, undefined],
  ['an embedded object is as it is stored', { object: written }, { object: stored }],
  ['in lists', { objects: [{ object: written }] }, { objects: [{ object: stored }] }],
  ['and in atomic mappings', { atom: { object: written } }, { atom: { object: stored } }],
  ['one that is stored so stays', { object: stored, objects: [{ object: stored }] }, undefined],
  ['and one that cannot be read', { object: objectWith({ name: 1, labels: {} }) }, undefined],
  ['what fits no schema stays', { keys: 'x', deep: [1], odd: [{}] }, undefined],
])('%s', (_, value, expected) => {
  const before = structuredClone(value);
  const filled = applyDefaultsInLists(schema, value);
  expect(filled).toEqual(expected ?? before);
  expect(value).toEqual(before);
  if (expected === undefined) expect(filled).toBe(value);
});

test.each(['constructor', 'toString', '__proto__'])('%s is a key like any other', (name) => {
  // Not as a literal, which would set the prototype.
  const keyed = (value: string): unknown => JSON.parse(`{"byName":{"${name}":${value}}}`);
  const text = (value: string): string =>
    JSON.stringify(applyDefaultsInLists(schema, keyed(value)));
  expect(text('[{}]')).toBe(JSON.stringify(keyed('[{"policy":"Keep"}]')));
  expect(text('null')).toBe('{"byName":{}}');
});
