import type { JSONSchemaProps } from '../../../../schema/jsonschema.ts';

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

/** A stored value, and what is to take its place. */
export interface Change {
  readonly about: string;
  readonly schema: JSONSchemaProps;
  /** The schema when the value was stored. @default - the same */
  readonly storedUnder?: JSONSchemaProps;
  readonly before: unknown;
  readonly after: readonly unknown[];
}

const fixed = text({
  maxLength: 9,
  'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'must not change' }],
});
const restless = text({
  maxLength: 9,
  'x-kubernetes-validations': [{ rule: 'self != oldSelf', message: 'must change' }],
});
const part = object({ name: text({ maxLength: 9 }), size: fixed }, { required: ['name'] });

/** Rules that ask for the value before. */
export const transitions: readonly Change[] = [
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
  { about: 'a rule that wants a change', schema: restless, before: 'a', after: ['a', 'b'] },
  {
    about: 'a rule that wants a change of a field',
    schema: object({ a: restless, b: text() }),
    before: { a: 'a', b: 'b' },
    after: [
      { a: 'a', b: 'b' },
      { a: 'a', b: 'c' },
      { a: 'b', b: 'b' },
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

const short = text({ maxLength: 1 });
const both = object({ a: text(), b: text() });
const items = (b: JSONSchemaProps) =>
  listOf(object({ name: text(), b }, { required: ['name'] }), 'map');
const longs = { a: 'long', b: 'long' };

/** What a new schema refuses, stored under one that took it. */
export const tightened: readonly Change[] = [
  {
    about: 'fields that are too long now',
    storedUnder: both,
    schema: object({ a: short, b: short }, { required: ['a'] }),
    before: longs,
    after: [
      { a: 'long', b: 'x' },
      { a: 'long', b: 'longer' },
      { b: 'long' },
      { a: 'longer', b: 'x' },
    ],
  },
  {
    about: 'items by their keys that are too long now',
    storedUnder: items(text()),
    schema: items(short),
    before: [
      { name: 'x', b: 'long' },
      { name: 'y', b: 'long' },
    ],
    after: [
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
  },
  {
    about: 'items of a list that are too long now',
    storedUnder: { type: 'array', items: text() },
    schema: { type: 'array', items: short },
    before: ['long'],
    after: [['long', 'x'], ['x']],
  },
  {
    about: 'what allOf refuses now',
    storedUnder: both,
    schema: { ...both, allOf: [{ properties: { a: { maxLength: 1 } } }] },
    before: longs,
    after: [
      { a: 'long', b: 'x' },
      { a: 'longer', b: 'x' },
    ],
  },
  {
    about: 'what anyOf refuses now',
    storedUnder: both,
    schema: { ...both, anyOf: [{ properties: { a: { maxLength: 1 } } }] },
    before: longs,
    after: [
      { a: 'long', b: 'x' },
      { a: 'longer', b: 'x' },
    ],
  },
  {
    about: 'items that rules refuse now',
    storedUnder: { type: 'array', items: text(), maxItems: 9 },
    schema: {
      type: 'array',
      items: text({ maxLength: 9, 'x-kubernetes-validations': [{ rule: "self == 'x'" }] }),
      maxItems: 9,
    },
    before: ['y'],
    after: [['y'], ['y', 'x'], ['x']],
  },
  {
    about: 'what rules refuse now',
    storedUnder: both,
    schema: object(
      {
        a: text({ maxLength: 9, 'x-kubernetes-validations': [{ rule: "self == 'x'" }] }),
        b: text(),
      },
      { 'x-kubernetes-validations': [{ rule: '!has(self.b)' }] },
    ),
    before: { a: 'y', b: 'y' },
    after: [{ a: 'y', b: 'y' }, { a: 'y', b: 'z' }, { a: 'y' }, { a: 'z' }, { a: 'x' }],
  },
];
