import { expect, test } from '@jest/globals';
import { admitValue } from '../../schema/admission.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { ofField, withX } from './given.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const object = { type: 'object' };
const open = { ...object, 'x-kubernetes-preserve-unknown-fields': true };
const embedded = { ...open, 'x-kubernetes-embedded-resource': true };
const list = (more: JSONSchemaProps = {}, items: JSONSchemaProps = string): JSONSchemaProps => ({
  type: 'array',
  items,
  ...more,
});
const map = { ...object, additionalProperties: string };
const fields = (properties: Record<string, JSONSchemaProps>, ...required: string[]) => ({
  ...object,
  properties,
  required,
});
const keyed = (...keys: string[]): JSONSchemaProps =>
  list(
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys },
    fields({ a: string, b: string }, 'a', 'b'),
  );

/** The rule, a field before and after, and a value that the change refuses, cuts or changes. */
const witnesses: readonly [string, JSONSchemaProps, JSONSchemaProps, unknown][] = [
  ['type', string, integer, 'a'],
  ['type', { type: 'number' }, integer, 0.5],
  ['format', string, { ...string, format: 'date' }, 'a'],
  ['format', integer, { ...integer, format: 'int32' }, 2 ** 31],
  ['enum', { ...string, enum: ['a', 'b'] }, { ...string, enum: ['a'] }, 'b'],
  ['enum', string, { ...string, enum: ['a'] }, 'b'],
  ['nullable', { ...string, nullable: true }, string, null],
  ['minimum', { ...integer, minimum: 1 }, { ...integer, minimum: 2 }, 1],
  ['minimum', integer, { ...integer, minimum: 0, exclusiveMinimum: true }, 0],
  ['minimum', integer, { ...integer, minimum: 0.5 }, 5],
  ['maximum', integer, { ...integer, maximum: 4 }, 5],
  ['multiple-of', { ...integer, multipleOf: 2 }, { ...integer, multipleOf: 4 }, 2],
  ['min-length', string, { ...string, minLength: 1 }, ''],
  ['max-length', string, { ...string, maxLength: 1 }, 'ab'],
  ['min-items', list(), list({ minItems: 1 }), []],
  ['max-items', list(), list({ maxItems: 1 }), ['a', 'b']],
  ['min-properties', map, { ...map, minProperties: 1 }, {}],
  ['max-properties', map, { ...map, maxProperties: 0 }, { a: 'a' }],
  ['pattern', string, { ...string, pattern: '^a' }, 'b'],
  ['required', fields({ a: string }), fields({ a: string }, 'a'), {}],
  ['field-removed', fields({ a: string }), fields({}), { a: 'a' }],
  ['field-added', open, { ...open, properties: { a: string } }, { a: 1 }],
  ['additional-properties', map, object, { a: 'a' }],
  ['preserve-unknown', open, object, { a: 'a' }],
  ['embedded-resource', open, embedded, { a: 'a' }],
  ['list-type', list(), list({ 'x-kubernetes-list-type': 'set' }), ['a', 'a']],
  ['list-map-keys', keyed('a', 'b'), keyed('a'), ['b', 'c'].map((b) => ({ a: 'a', b }))],
  ['all-of', string, { ...string, allOf: [{ maxLength: 1 }] }, 'ab'],
  ['any-of', string, { ...string, anyOf: [{ maxLength: 1 }] }, 'ab'],
  ['one-of', string, { ...string, oneOf: [{ maxLength: 1 }] }, 'ab'],
  ['not', string, { ...string, not: { maxLength: 1 } }, 'a'],
];

const root = { apiVersion: 'cache.example.com/v1', kind: 'Redis', scope: 'Namespaced' } as const;

function admitted(x: JSONSchemaProps, value: unknown) {
  const { apiVersion, kind } = root;
  const given = { apiVersion, kind, metadata: { name: 'a', namespace: 'b' }, spec: { x: value } };
  const { errors, pruned, value: kept } = admitValue(withX(x), given, { root });
  const isValid = errors.length === 0;
  return {
    isValid,
    isWhole: pruned.length === 0 && JSON.stringify(kept) === JSON.stringify(given),
  };
}

test.each(witnesses)('%s breaks something that was valid', (rule, before, after, value) => {
  expect(ofField(before, after)).toContain(`breaking ${rule}`);
  expect(admitted(before, value)).toEqual({ isValid: true, isWhole: true });
  const now = admitted(after, value);
  expect(now.isValid && now.isWhole).toBe(false);
});
