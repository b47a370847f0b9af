import { expect, test } from '@jest/globals';
import { applyDefaultsInLists } from '../../../schema/admission/listdefaults.ts';
import type { JSONSchemaProps } from '../../../schema/jsonschema.ts';

const key: JSONSchemaProps = {
  type: 'object',
  properties: { name: { type: 'string' }, policy: { type: 'string', default: 'Keep' } },
};
const keys: JSONSchemaProps = { type: 'array', items: key };
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
  ['one outside of lists stays', { size: null, key: { name: null } }, undefined],
  ['what fits no schema stays', { keys: 'x', deep: [1], odd: [{}] }, undefined],
])('%s', (_, value, expected) => {
  const before = structuredClone(value);
  const filled = applyDefaultsInLists(schema, value);
  expect(filled).toEqual(expected ?? before);
  expect(value).toEqual(before);
  if (expected === undefined) expect(filled).toBe(value);
});
