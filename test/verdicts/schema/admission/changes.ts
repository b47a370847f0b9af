import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';

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

/** A stored value, and the values that are to replace it. */
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

/** Rules that read the old value. */
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
      [
        { name: 'a', size: 'x' },
        { name: 'a', size: 'x' },
      ],
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
const named = items(text());
const twoKeys: JSONSchemaProps = {
  ...listOf(
    object({ name: text(), port: { type: 'integer' } }, { required: ['name', 'port'] }),
    'map',
  ),
  'x-kubernetes-list-map-keys': ['name', 'port'],
};
const open = (rest: JSONSchemaProps = {}): JSONSchemaProps =>
  object({ a: text(), b: text() }, { 'x-kubernetes-preserve-unknown-fields': true, ...rest });
const embedded: JSONSchemaProps = object(
  { a: text() },
  { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
);
const longs = { a: 'long', b: 'long' };

/** Values that a new schema refuses, stored under one that accepted them. */
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
  {
    about: 'a list by keys with too many items now, in another order',
    storedUnder: named,
    schema: { ...named, maxItems: 1 },
    before: [{ name: 'x' }, { name: 'y', b: 'z' }],
    after: [
      [{ name: 'x' }, { name: 'y', b: 'z' }],
      [{ name: 'y', b: 'z' }, { name: 'x' }],
      [{ name: 'y', b: 'zz' }, { name: 'x' }],
      [{ name: 'y', b: 'z' }, { name: 'z' }],
    ],
  },
  {
    about: 'an object around a list by keys in another order',
    storedUnder: object({ list: named, a: text() }),
    schema: object({ list: named, a: text() }, { required: ['a'] }),
    before: { list: [{ name: 'x' }, { name: 'y' }] },
    after: [
      { list: [{ name: 'y' }, { name: 'x' }] },
      { list: [{ name: 'y' }] },
      { list: [{ name: 'y' }, { name: 'x', b: 'z' }] },
    ],
  },
  {
    about: 'a list by keys that a rule refuses now, in another order',
    storedUnder: named,
    schema: { ...named, 'x-kubernetes-validations': [{ rule: 'self.size() == 1' }] },
    before: [{ name: 'x' }, { name: 'y' }],
    after: [
      [{ name: 'y' }, { name: 'x' }],
      [{ name: 'y' }, { name: 'z' }],
    ],
  },
  {
    about: 'a list by two keys with too many items now, in another order',
    storedUnder: twoKeys,
    schema: { ...twoKeys, maxItems: 1 },
    before: [
      { name: 'x', port: 1 },
      { name: 'x', port: 2 },
    ],
    after: [
      [
        { name: 'x', port: 2 },
        { name: 'x', port: 1 },
      ],
      [
        { name: 'x', port: 2 },
        { name: 'x', port: 3 },
      ],
    ],
  },
  ...(['set', 'atomic'] as const).map((type) => ({
    about: `a list (${type}) with too many items now, in another order`,
    storedUnder: listOf(text(), type),
    schema: { ...listOf(text(), type), maxItems: 1 },
    before: ['x', 'y'],
    after: [
      ['x', 'y'],
      ['y', 'x'],
    ],
  })),
  {
    about: 'a field that is missing now beside fields of no schema',
    storedUnder: open(),
    schema: open({ required: ['b'] }),
    before: { a: 'x', c: 'y' },
    after: [{ a: 'x', c: 'y' }, { a: 'x' }],
  },
  {
    about: 'a field that is missing now where fields of no schema may be',
    storedUnder: open(),
    schema: open({ required: ['b'] }),
    before: { a: 'x' },
    after: [{ a: 'x' }, { a: 'y' }],
  },
  {
    about: 'a field that is missing now in an embedded object',
    storedUnder: embedded,
    schema: { ...embedded, required: ['a'] },
    before: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } },
    after: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } }],
  },
  {
    about: 'items twice in what is a set now',
    storedUnder: object({ a: listOf(text(), 'atomic'), b: listOf(text(), 'set') }),
    schema: object({ a: listOf(text(), 'set'), b: listOf(text(), 'set') }),
    before: { a: ['x', 'x'] },
    after: [{ a: ['x', 'x'] }, { a: ['x', 'x', 'y'] }, { a: ['y', 'y'] }, { b: ['y', 'y'] }],
  },
  {
    about: 'keys twice in what is a list by keys now',
    storedUnder: listOf(object({ name: text(), b: text() }), 'atomic'),
    schema: items(short),
    before: [
      { name: 'x', b: 'long' },
      { name: 'x', b: 'longer' },
    ],
    after: [
      [{ name: 'x', b: 'long' }],
      [{ name: 'x', b: 'longer' }],
      [
        { name: 'x', b: 'longer' },
        { name: 'x', b: 'long' },
      ],
    ],
  },
  {
    about: 'items without the key of what is a list by keys now',
    storedUnder: listOf(object({ name: text(), b: text() }), 'atomic'),
    schema: named,
    before: [{ b: 'x' }],
    after: [[{ b: 'x' }], [{ name: 'y', b: 'x' }]],
  },
  {
    about: 'a value that is too long now, and has to change',
    storedUnder: text(),
    schema: text({
      maxLength: 1,
      'x-kubernetes-validations': [{ rule: 'self != oldSelf', message: 'must change' }],
    }),
    before: 'long',
    after: ['long', 'longer', 'x'],
  },
  {
    about: 'a map instead of a text',
    storedUnder: open(),
    schema: object({ a: text(), b: text(), c: object({ d: short, e: text() }) }),
    before: { a: 'x', c: 'dd' },
    after: [
      { a: 'x', c: 'dd' },
      { a: 'x', c: { d: 'long' } },
      { a: 'x', c: { d: 'x' } },
      { a: 'x', c: {} },
    ],
  },
  {
    about: 'an object instead of null',
    storedUnder: object({ a: { ...both, nullable: true } }),
    schema: object({ a: { ...object({ a: short, b: text() }), nullable: true } }),
    before: { a: null },
    after: [{ a: null }, { a: {} }, { a: { a: 'long' } }, { a: { a: 'x' } }],
  },
  {
    about: 'a list instead of a text',
    storedUnder: open(),
    schema: object({ c: listOf(short, 'atomic') }),
    before: { c: 'x' },
    after: [{ c: 'x' }, { c: [] }, { c: ['long'] }, { c: ['x'] }],
  },
  {
    about: 'empty lists in an object that is refused now',
    storedUnder: object({ l: named, s: listOf(text(), 'set'), a: text() }),
    schema: object({ l: named, s: listOf(text(), 'set'), a: text() }, { required: ['a'] }),
    before: { l: [], s: [] },
    after: [
      { l: [], s: [] },
      { l: [], s: ['x'] },
      { l: [{ name: 'x' }], s: [] },
    ],
  },
  {
    about: 'items that lack one of two keys',
    storedUnder: listOf(object({ name: text(), port: { type: 'integer' } }), 'atomic'),
    schema: { ...twoKeys, maxItems: 1 },
    before: [{ name: 'x' }, { name: 'y', port: 1 }],
    after: [
      [{ name: 'x' }, { name: 'y', port: 1 }],
      [{ name: 'y', port: 1 }, { name: 'x' }],
      [{ name: 'y', port: 1 }],
    ],
  },
  {
    about: 'a key that is null',
    storedUnder: listOf(object({ name: text({ nullable: true }), b: text() }), 'atomic'),
    schema: items(short),
    before: [{ name: null, b: 'long' }],
    after: [[{ name: null, b: 'long' }], [{ name: null, b: 'x' }]],
  },
  {
    about: 'a key that is an object',
    storedUnder: listOf(object({ name: both, b: text() }), 'atomic'),
    schema: items(short),
    before: [{ name: { a: 'x' }, b: 'long' }],
    after: [[{ name: { a: 'x' }, b: 'long' }], [{ name: 'x', b: 'long' }]],
  },
  {
    about: 'items twice in lists of what are sets now',
    storedUnder: { type: 'array', items: listOf(text(), 'atomic'), maxItems: 9 },
    schema: { type: 'array', items: listOf(text(), 'set'), maxItems: 9 },
    before: [['y'], ['x', 'x']],
    after: [[['y'], ['x', 'x']], [['x', 'x']], [['z', 'z']], [['z']]],
  },
  {
    about: 'lists of sets without items twice',
    schema: { type: 'array', items: listOf(text(), 'set'), maxItems: 9 },
    before: [['y'], ['x']],
    after: [[['x', 'x']], [['y'], ['x']]],
  },
  {
    about: 'items twice beside nulls, texts, atomic lists and fields of no schema',
    storedUnder: open({
      properties: {
        n: text({ nullable: true }),
        o: { ...both, nullable: true },
        s: listOf(text(), 'set'),
        t: listOf(text(), 'atomic'),
      },
    }),
    schema: open({
      properties: {
        n: text({ nullable: true }),
        o: { ...both, nullable: true },
        s: listOf(text(), 'set'),
        t: listOf(text(), 'atomic'),
      },
    }),
    before: { n: null, o: null, s: ['x'], t: ['x', 'x'], u: ['x', 'x'], v: 'long' },
    after: [
      { n: null, o: null, s: ['x', 'x'], t: ['x', 'x'], u: ['x', 'x'], v: 'long' },
      { s: ['x'], t: ['x', 'x'] },
    ],
  },
  {
    about: 'a null that not would refuse',
    storedUnder: text({ nullable: true }),
    schema: text({ nullable: true, not: { minLength: 3 } }),
    before: 'long',
    after: [null, 'long', 'longer', 'x'],
  },
  {
    about: 'a field with a default that it had not',
    storedUnder: object({ a: text() }),
    schema: object({ a: text(), b: { ...fixed, default: 'x' } }, { maxProperties: 1 }),
    before: { a: 'a' },
    after: [{ a: 'a' }, { a: 'a', b: 'y' }, { a: 'b' }],
  },
];
