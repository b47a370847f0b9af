import { expect, test } from '@jest/globals';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { ofField, ofSchemas, withX } from './given.ts';

const string = { type: 'string' };
const item = {
  type: 'object',
  properties: { name: string, port: { type: 'integer' } },
  required: ['name', 'port'],
};
const list = (more: JSONSchemaProps = {}, items: JSONSchemaProps = item): JSONSchemaProps => ({
  type: 'array',
  items,
  ...more,
});
const map = (...keys: string[]): JSONSchemaProps =>
  list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });

test('the items of a list are compared', () => {
  const longer = list({}, { ...item, required: ['name'] });
  expect(ofSchemas(withX(longer), withX(list()))).toEqual(['breaking required .spec.x[].port']);
});

test('fewer or more items than before break', () => {
  expect(ofField(list(), list({ maxItems: 3 }))).toEqual(['breaking max-items']);
  expect(ofField(list({ maxItems: 3 }), list({ maxItems: 4 }))).toEqual(['compatible max-items']);
  expect(ofField(list(), list({ minItems: 1 }))).toEqual(['breaking min-items']);
  expect(ofField(list({ minItems: 1 }), list())).toEqual(['compatible min-items']);
});

test('another type of a list breaks: items repeat no more, or are owned together', () => {
  const [set, atomic] = [
    list({ 'x-kubernetes-list-type': 'set' }, string),
    list({ 'x-kubernetes-list-type': 'atomic' }, string),
  ];
  expect(ofField(atomic, set)).toEqual(['breaking list-type']);
  expect(ofField(set, atomic)).toEqual(['breaking list-type']);
  expect(ofField(list(), map('name'))).toEqual(['breaking list-type']);
  expect(ofField(map('name'), list())).toEqual(['breaking list-type']);
  expect(ofField(list({}, string), atomic)).toEqual(['compatible list-type']);
});

test('other keys of a list map break, their order does not', () => {
  expect(ofField(map('name'), map('name', 'port'))).toEqual(['breaking list-map-keys']);
  expect(ofField(map('name', 'port'), map('port', 'name'))).toEqual(['compatible list-map-keys']);
});

test('a map that is owned as a whole breaks, one whose fields are owned does not', () => {
  const object = { type: 'object', additionalProperties: string };
  const atomic = { ...object, 'x-kubernetes-map-type': 'atomic' } as const;
  const granular = { ...object, 'x-kubernetes-map-type': 'granular' } as const;
  expect(ofField(object, atomic)).toEqual(['breaking map-type']);
  expect(ofField(atomic, granular)).toEqual(['compatible map-type']);
  expect(ofField(object, granular)).toEqual(['compatible map-type']);
});
