import { expect, test } from '@jest/globals';
import { adviseOn } from '../../compatibility/style-advice.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { redis, stored, version, whole } from './given.ts';

const of = (properties: Record<string, JSONSchemaProps>, more = {}) =>
  redis([
    stored('v1', { schema: { openAPIV3Schema: whole({ type: 'object', properties }) }, ...more }),
  ]);

const advised = (...given: Parameters<typeof adviseOn>): string[] =>
  adviseOn(...given).map(({ version, path, rule }) => `${version} ${path} ${rule}`);

test('booleans, fractions, unsigned numbers, maps and lists without a type are advised against', () => {
  const after = of({
    bool: { type: 'boolean' },
    float: { type: 'number' },
    uint: { type: 'integer', format: 'uint32' },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    list: { type: 'array', items: { type: 'object', properties: { deep: { type: 'boolean' } } } },
  });
  expect(advised(undefined, after)).toEqual([
    'v1 .spec.bool NoBools',
    'v1 .spec.float NoFloats',
    'v1 .spec.list ListsMustHaveSSATags',
    'v1 .spec.list[].deep NoBools',
    'v1 .spec.map NoMaps',
    'v1 .spec.uint NoUints',
  ]);
});

test('what OLD had in the same place of the same version is not advised against again', () => {
  const bool = { type: 'boolean' };
  const [before, after] = [of({ a: bool }), of({ a: bool, b: bool })];
  expect(advised(before, after)).toEqual(['v1 .spec.b NoBools']);
  expect(advised(after, after)).toEqual([]);
  const { schema } = before.spec.versions[0]!;
  const more = redis([...before.spec.versions, version('v2', { schema: schema! })]);
  expect(advised(before, more)).toEqual(['v2 .spec.a NoBools']);
});

const status = (conditions: JSONSchemaProps, subresources?: object) => {
  const properties = { status: { type: 'object', properties: { conditions } } };
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return redis([stored('v1', { schema, ...subresources })]);
};

test('a status without its subresource is advised against', () => {
  const none = status({ type: 'string' });
  expect(advised(undefined, none)).toEqual(['v1 .status MustHaveStatus']);
  expect(advised(undefined, status({ type: 'string' }, { subresources: { status: {} } }))).toEqual(
    [],
  );
});

test('conditions are a list map by type, with the fields that Kubernetes gives them', () => {
  const subresources = { subresources: { status: {} } };
  const condition: JSONSchemaProps = {
    type: 'object',
    properties: {
      type: {
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      },
      status: { enum: ['Unknown', 'True', 'False'] },
      observedGeneration: { minimum: 0 },
      lastTransitionTime: { type: 'string', format: 'date-time' },
      reason: { maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
      message: { maxLength: 32768 },
    },
  };
  const map = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] } as const;
  const list = { type: 'array', items: condition };
  expect(adviseOn(undefined, status({ ...list, ...map }, subresources))).toEqual([]);
  expect(advised(undefined, status(list, subresources))).toEqual([
    'v1 .status.conditions ConditionsMustHaveProperSSATags',
    'v1 .status.conditions ListsMustHaveSSATags',
  ]);
  const { reason: _, ...rest } = condition.properties!;
  const poor = { ...condition, properties: { ...rest, message: { maxLength: 5 } } };
  expect(
    adviseOn(undefined, status({ ...list, ...map, items: poor }, subresources)).map(
      ({ message }) => message,
    ),
  ).toEqual([
    'must have maxLength 32768 in its field message, got 5',
    'must have the field reason of a condition, got none',
  ]);
});
