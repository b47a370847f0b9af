import { bad, good, leftOpen, type Changes, type DefinitionCase } from './case.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const object = (properties: object, more: object = {}): object => ({
  type: 'object',
  properties,
  ...more,
});
/** A schema with a default. */
const given = (schema: object, value: unknown): Changes => ({
  field: { ...schema, default: value },
});
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });
const embedded = (fields: object = {}): object => ({
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
  ...fields,
});
const secret = (fields: object = {}): object => ({ apiVersion: 'v1', kind: 'Secret', ...fields });
/** An embedded resource whose metadata has a field with a default. */
const meta = (name: string, schema: object, value: unknown): Changes => ({
  field: embedded({
    properties: { metadata: object({ [name]: { ...schema, default: value } }) },
  }),
});

/** Defaults that the schema around them takes, or not. */
export const defaultCases: readonly DefinitionCase[] = [
  good('a text', given(text, 'a')),
  good('an empty text', given(text, '')),
  good('null, which is none', given(text, null)),
  bad('default', 'a number for a text', given(text, 1)),
  bad('default', 'a text for a number', given({ type: 'number' }, '1')),
  bad('default', 'a fraction for a whole number', given(whole, 1.5)),
  bad('default', 'a text for true or false', given({ type: 'boolean' }, 'true')),
  bad('default', 'a mapping for a list', given(list(text), {})),
  bad('default', 'a text that is too short', given({ ...text, minLength: 1 }, '')),
  bad('default', 'a text that does not match', given({ ...text, pattern: '^a$' }, 'b')),
  good('a text that matches in the way of Go', given({ ...text, pattern: '(?i)^A\\z' }, 'a')),
  bad('default', 'a text outside of enum', given({ ...text, enum: ['a'] }, 'b')),
  bad('default', 'a number beyond the maximum', given({ ...whole, maximum: 1 }, 2)),
  bad('default', 'an excluded bound', given({ ...whole, maximum: 1, exclusiveMaximum: true }, 1)),
  bad('default', 'no multiple', given({ ...whole, multipleOf: 2 }, 3)),
  bad('default', 'a text of another format', given({ ...text, format: 'ipv4' }, 'a')),
  good('a text of an unknown format', given({ ...text, format: 'color' }, 'a')),
  leftOpen(
    good('a list for a text of an unknown format', given({ ...text, format: 'color' }, ['a'])),
  ),
  leftOpen(
    bad('default', 'a number for an int or string of a format', {
      ...given({ 'x-kubernetes-int-or-string': true, format: 'int32' }, 1),
    }),
  ),
  leftOpen(
    bad('default', 'a number of another format in a clause', {
      ...given({ ...whole, anyOf: [{ format: 'int32' }] }, 1),
    }),
  ),
  good('a number for an int or string', given({ 'x-kubernetes-int-or-string': true }, 1)),
  good('a text for an int or string', given({ 'x-kubernetes-int-or-string': true }, '1%')),
  good('a fraction for an int or string, which defaults may be', {
    ...given({ 'x-kubernetes-int-or-string': true }, 1.5),
  }),
  bad('default', 'a fraction for an int or string with types', {
    ...given(
      {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
      },
      1.5,
    ),
  }),
  good('anything where anything is', {
    ...given({ 'x-kubernetes-preserve-unknown-fields': true }, { a: [null, 1.5, { b: 'c' }] }),
  }),
  bad('default', 'a list that is too short', given(list(text, { minItems: 1 }), [])),
  bad('default', 'an item of another type', given(list(text), ['a', 1])),
  good('a list', given(list(text), ['a', 'a'])),
  good('a set with an item twice, which is not looked at', {
    ...given(list(text, { 'x-kubernetes-list-type': 'set' }), ['a', 'a']),
  }),
  bad('default', 'too many entries', {
    ...given({ type: 'object', additionalProperties: text, maxProperties: 1 }, { a: 'a', b: 'b' }),
  }),
  bad('default', 'an entry of another type', {
    ...given({ type: 'object', additionalProperties: text }, { a: 1 }),
  }),
  bad('default', 'an object without a required field', {
    ...given(object({ a: text }, { required: ['a'] }), {}),
  }),
  good('an object with fields', given(object({ a: text, b: list(whole) }), { a: 'a', b: [1] })),
  bad('default-unknown-field', 'an unknown field', given(object({ a: text }), { b: 1 })),
  bad('default-unknown-field', 'an unknown field of an item', {
    ...given(list(object({ a: text })), [{ a: 'a' }, { b: 'a' }]),
  }),
  bad('default-unknown-field', 'a field of a mapping of anything', {
    ...given({ type: 'object', additionalProperties: true }, { a: { b: 1 } }),
  }),
  bad(
    'default-unknown-field',
    'a field of an object without any',
    given({ type: 'object' }, { a: 1 }),
  ),
  good('an unknown field that is preserved', {
    ...given(object({ a: text }, { 'x-kubernetes-preserve-unknown-fields': true }), { b: 1 }),
  }),
  bad('default', 'what anyOf does not take', {
    ...given({ ...text, anyOf: [{ minLength: 2 }, { enum: ['a'] }] }, 'b'),
  }),
  bad('default', 'what two of oneOf take', {
    ...given({ ...text, oneOf: [{ minLength: 1 }, { maxLength: 3 }] }, 'ab'),
  }),
  bad('default', 'what not refuses', given({ ...text, not: { enum: ['a'] } }, 'a')),
  bad('default', 'a default in an item', { field: list({ ...whole, default: 'a' }) }),
  bad('default', 'a default in a field of a field', {
    field: object({ a: object({ b: { ...whole, default: 'a' } }) }),
  }),
  good('a wrong default below additionalProperties, which is not looked at', {
    field: { type: 'object', additionalProperties: { ...whole, default: 'a' } },
  }),
  bad('default', 'null within', given(object({ a: text }), { a: null })),
  good('null within, where it may be', {
    ...given(object({ a: { ...text, nullable: true } }), { a: null }),
  }),
  bad('embedded-object', 'a root default', { 'schema.default': {} }),
  good('a root default with kind and apiVersion', { 'schema.default': secret() }),

  good('an embedded object', given(embedded(), secret({ metadata: { name: 'a' }, data: {} }))),
  bad(
    'embedded-object',
    'an embedded object without kind',
    given(embedded(), { apiVersion: 'v1' }),
  ),
  bad('embedded-object', 'an embedded object without apiVersion', given(embedded(), { kind: 'A' })),
  bad('embedded-object', 'an embedded object of a kind that is none', {
    ...given(embedded(), secret({ kind: 'A_B' })),
  }),
  bad('embedded-object', 'an embedded object of a version that is none', {
    ...given(embedded(), secret({ apiVersion: 'a/b/c' })),
  }),
  bad('embedded-object', 'an embedded object of a numeric version', {
    ...given(embedded(), secret({ apiVersion: 1 })),
  }),
  bad('embedded-object', 'an embedded object with a numeric name', {
    ...given(embedded(), secret({ metadata: { name: 1 } })),
  }),
  bad('embedded-object', 'an embedded object with a slash in its name', {
    ...given(embedded(), secret({ metadata: { name: 'a/b' } })),
  }),
  bad('embedded-object', 'an embedded object with a bad namespace', {
    ...given(embedded(), secret({ metadata: { namespace: 'A' } })),
  }),
  bad('embedded-object', 'an embedded object with a bad label', {
    ...given(embedded(), secret({ metadata: { labels: { a: 'not a value' } } })),
  }),
  bad('embedded-object', 'an embedded object with a bad finalizer', {
    ...given(embedded(), secret({ metadata: { finalizers: ['not a name'] } })),
  }),
  bad('embedded-object', 'an embedded object with bad managed fields', {
    ...given(embedded(), secret({ metadata: { managedFields: [{ operation: 'None' }] } })),
  }),
  good('an embedded object with unknown metadata', {
    ...given(embedded(), secret({ metadata: { color: 'red' } })),
  }),
  bad('embedded-object', 'an embedded object in a list', {
    ...given(list(embedded()), [secret(), { kind: 'A' }]),
  }),
  good('a default in embedded metadata', meta('name', text, 'a')),
  bad(
    'embedded-object',
    'a default in embedded metadata that is no name',
    meta('name', text, 'a/b'),
  ),
  bad('embedded-object', 'a default in embedded metadata that is no label', {
    ...meta('labels', { type: 'object', additionalProperties: text }, { a: 'not a value' }),
  }),
  bad('default', 'a default in embedded metadata of another type', {
    ...meta('name', { ...text, maxLength: 1 }, 'ab'),
  }),
  bad('default-forbidden', 'a default below additionalProperties of embedded metadata', {
    field: embedded({
      properties: {
        metadata: object({
          labels: { type: 'object', additionalProperties: { ...text, default: 'a' } },
        }),
      },
    }),
  }),
];
