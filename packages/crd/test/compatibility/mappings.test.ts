import { expect, test } from '@jest/globals';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { ofField, ofSchemas, whole } from './given.ts';

const string = { type: 'string' };
const object = { type: 'object' };
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const fields = (properties: Record<string, JSONSchemaProps>, more: JSONSchemaProps = {}) => ({
  ...object,
  properties,
  ...more,
});

test('a removed field is breaking, a new one is compatible', () => {
  const [one, two] = [whole(fields({ a: string })), whole(fields({ a: string, b: string }))];
  expect(ofSchemas(two, one)).toEqual(['breaking field-removed .spec.b']);
  expect(ofSchemas(one, two)).toEqual(['compatible field-added .spec.b']);
});

test('a removed field is breaking even if unknown fields are kept', () => {
  const kept = whole({ ...open, properties: { a: string } });
  expect(ofSchemas(kept, whole(open))).toEqual(['breaking field-removed .spec.a']);
});

test('declaring a field where any value was kept is breaking', () => {
  const kept = whole({ ...open, properties: { a: string } });
  expect(ofSchemas(whole(open), kept)).toEqual(['breaking field-added .spec.a']);
});

test('a new required field is breaking, unless it has a default', () => {
  const before = whole(fields({ a: string }));
  const b = { ...string, default: 'b' };
  expect(ofSchemas(before, whole(fields({ a: string, b: string }, { required: ['b'] })))).toEqual([
    'breaking required .spec.b',
    'compatible field-added .spec.b',
  ]);
  expect(ofSchemas(before, whole(fields({ a: string, b }, { required: ['b'] })))).toEqual([
    'compatible field-added .spec.b',
    'compatible required .spec.b',
  ]);
});

test('a required field inside a new optional field is compatible', () => {
  const inner = fields({ b: string }, { required: ['b'] });
  expect(ofSchemas(whole(fields({})), whole(fields({ a: inner })))).toEqual([
    'compatible field-added .spec.a',
  ]);
});

test('a field that becomes required is breaking, one that becomes optional is compatible', () => {
  const [optional, required] = [fields({ a: string }), fields({ a: string }, { required: ['a'] })];
  expect(ofSchemas(whole(optional), whole(required))).toEqual(['breaking required .spec.a']);
  expect(ofSchemas(whole(required), whole(optional))).toEqual(['compatible required .spec.a']);
});

test('fields that every object has may be declared, required, and left out', () => {
  const bare = whole(object);
  const full: JSONSchemaProps = {
    ...bare,
    properties: { ...bare.properties, apiVersion: string, kind: string, metadata: object },
    required: ['apiVersion', 'kind', 'metadata'],
  };
  expect(ofSchemas(bare, full).filter((line) => !line.startsWith('compatible'))).toEqual([]);
  expect(ofSchemas(full, bare).filter((line) => !line.startsWith('compatible'))).toEqual([]);
});

test('a restriction of the name of the object is a change of an existing field', () => {
  const metadata = fields({ name: { type: 'string', maxLength: 20 } });
  const bounded = { ...whole(object), properties: { metadata, spec: object } };
  expect(ofSchemas(whole(object), bounded)).toEqual(['breaking max-length .metadata.name']);
  expect(ofSchemas(bounded, whole(object))).toEqual(['compatible max-length .metadata.name']);
});

test('a new field with a default is unknown if something limits or validates the whole object', () => {
  const b = { ...string, default: 'b' };
  for (const around of [
    { maxProperties: 1 },
    { not: { minProperties: 2 } },
    { enum: [{ a: 'a' }] },
  ] satisfies JSONSchemaProps[]) {
    const [before, after] = [fields({ a: string }, around), fields({ a: string, b }, around)];
    expect(ofSchemas(whole(before), whole(after))).toEqual(['unknown field-added .spec.b']);
  }
});

test('limits on the number of fields are compared like limits on the number of items', () => {
  const map = { ...object, additionalProperties: string };
  expect(ofField(map, { ...map, maxProperties: 3 })).toEqual(['breaking max-properties']);
  expect(ofField({ ...map, maxProperties: 3 }, map)).toEqual(['compatible max-properties']);
  expect(ofField(map, { ...map, minProperties: 1 })).toEqual(['breaking min-properties']);
});

test('dropping unknown fields is breaking, keeping them is compatible', () => {
  expect(ofField(open, object)).toEqual(['breaking preserve-unknown']);
  expect(ofField(object, open)).toEqual(['compatible preserve-unknown']);
  expect(ofField({ ...object, maxProperties: 1 }, { ...open, maxProperties: 1 })).toEqual([
    'unknown preserve-unknown',
  ]);
});

test('a list that keeps unknown fields also keeps them in its items', () => {
  const items = fields({ a: string });
  const more = fields({ a: string, b: string });
  const list = { type: 'array', 'x-kubernetes-preserve-unknown-fields': true };
  expect(ofField({ ...list, items }, { ...list, items: more })).toEqual(['breaking field-added']);
  expect(ofField({ type: 'array', items }, { type: 'array', items: more })).toEqual([
    'compatible field-added',
  ]);
});

test('the values of a map are compared', () => {
  const of = (additionalProperties: JSONSchemaProps) => ({ ...object, additionalProperties });
  const [before, after] = [whole(of(string)), whole(of({ ...string, maxLength: 1 }))];
  expect(ofSchemas(before, after)).toEqual(['breaking max-length .spec{}']);
});

test('changing a map to an object with fields is breaking, and so is the reverse', () => {
  const [map, known] = [{ ...object, additionalProperties: string }, fields({ a: string })];
  expect(ofField(map, known)).toEqual(['breaking additional-properties']);
  expect(ofField(known, map)).toEqual([
    'compatible additional-properties',
    'breaking field-removed',
  ]);
  expect(ofField(object, map)).toEqual(['compatible additional-properties']);
  expect(ofField(map, object)).toEqual(['breaking additional-properties']);
});

test('an object that becomes an embedded resource is breaking', () => {
  const embedded = { ...open, 'x-kubernetes-embedded-resource': true };
  expect(ofField(open, embedded)).toEqual(['breaking embedded-resource']);
  expect(ofField(embedded, open)).toEqual(['compatible embedded-resource']);
  expect(ofField({ ...object, 'x-kubernetes-embedded-resource': true }, object).toSorted()).toEqual(
    [
      'breaking field-removed',
      'breaking field-removed',
      'breaking field-removed',
      'compatible embedded-resource',
    ],
  );
});

test('field names that are not identifiers are unambiguous in paths', () => {
  const [before, after] = [fields({ 'a/b': string, __proto__x: string }), fields({})];
  expect(ofSchemas(whole(before), whole(after))).toEqual([
    'breaking field-removed .spec.__proto__x',
    'breaking field-removed .spec["a/b"]',
  ]);
});
