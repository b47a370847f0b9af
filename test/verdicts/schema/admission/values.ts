import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';

/** A schema, and values near the limits of what it accepts. */
export interface ValueCase {
  readonly about: string;
  readonly schema: JSONSchemaProps;
  readonly values: readonly unknown[];
}

const numbers = [
  0,
  -0,
  1,
  -1,
  1.5,
  -1.5,
  0.5,
  1.0000000001,
  1e-12,
  2,
  3,
  10,
  97,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 60,
  2 ** 63 - 1024,
  2 ** 63,
  -(2 ** 63),
  1e20,
  1e21,
  1e300,
  3.5e38,
  0.1,
  0.3,
];
const others = [null, true, false, '', 'a', '1', [], [1], ['a'], {}, { a: 1 }];
const any = [...others, ...numbers];

const text = (schema: JSONSchemaProps): JSONSchemaProps => ({ type: 'string', ...schema });
const number = (schema: JSONSchemaProps): JSONSchemaProps => ({ type: 'number', ...schema });
const integer = (schema: JSONSchemaProps): JSONSchemaProps => ({ type: 'integer', ...schema });
const object = (properties: Record<string, JSONSchemaProps>, rest: JSONSchemaProps = {}) => ({
  type: 'object',
  properties,
  ...rest,
});
const intOrString = { 'x-kubernetes-int-or-string': true } as const;
const preserved = { 'x-kubernetes-preserve-unknown-fields': true } as const;

const wide = 'a'.repeat(63);
const formats: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ['507f1f77bcf86cd799439011', '507f1f77bcf86cd79943901'],
  uri: [
    'http://[fe80::1%25en0]/',
    'http://a.b/c?d=e#f',
    'a.b',
    '/a',
    'mailto:a@b',
    'http://a%41',
    'http://[::1]:80',
    'x:',
  ],
  email: ['a@b.c', 'a', 'a..b@c', 'é@ü'],
  hostname: ['a.example.com', '-a', 'é.com', `${wide}.com`, 'a_b'],
  ipv4: ['1.2.3.4', '01.2.3.4', '::1.2.3.4', '1.2.3'],
  ipv6: ['::1', '::ffff:1.2.3.4', '1::2::3', '1.2.3.4'],
  cidr: ['10.0.0.0/8', '010.0.0.0/08', '::/129'],
  mac: ['01:23:45:67:89:ab', '01-23:45:67:89:ab', '0123.4567.89ab'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000', 'x'],
  uuid3: ['123e4567-e89b-32d3-a456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
  uuid4: ['123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-42d3-c456-426614174000'],
  uuid5: ['123e4567-e89b-52d3-a456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
  isbn: ['0321751043', '978-0321751041', '1234567890'],
  isbn10: ['0321751043', '978-0321751041'],
  isbn13: ['0321751043', '978-0321751041'],
  creditcard: ['4111 1111 1111 1111', '4111 1111 1111 1112'],
  ssn: ['111-11-1111', '111111111'],
  hexcolor: ['#FFF', 'ff'],
  rgbcolor: ['rgb(0, 31,255)', 'rgb(0,31,256)'],
  byte: ['YWJj', '', 'YQ='],
  password: ['x'],
  date: ['2020-02-29', '2019-02-29'],
  duration: [
    '1h',
    'about 5 days',
    '5x',
    '0',
    '200000 weeks',
    '-9223372036854775808ns',
    '9223372036854775807.9ns',
  ],
  'date-time': ['2014-12-15T19:30:20.000Z', '2014-12-15T24:30:20Z', '2014-12-15'],
  datetime: ['2014-12-15t19:30:20z', 'x'],
  'k8s-short-name': ['a-b', 'a.b', 'A', '-a', 'a-', '1', wide, `${wide}a`],
  'k8s-long-name': ['a-b.c', 'a..b', '-a.b', 'a-.b', 'a.-b', 'a.b-', `${wide}a.b`],
  int32: ['x'],
  quantity: ['x'],
};

const named = object({ name: text({}), other: integer({}) }, { required: ['name'] });
const listMap = {
  type: 'array',
  items: named,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
} as const;

const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true } as const;
const head = { apiVersion: 'v1', kind: 'Pod' };
/** Owner references with one error each. */
const owners: readonly object[] = [
  { ...head, apiVersion: 'a/b/c', name: 'a', uid: 'b' },
  { ...head, apiVersion: 'a/', name: 'a', uid: 'b' },
  { kind: 'Pod', name: 'a', uid: 'b' },
  { apiVersion: 'v1', name: 'a', uid: 'b' },
  { ...head, uid: 'b' },
  { ...head, name: 'a' },
];

export const valueCases: readonly ValueCase[] = [
  { about: 'strings', schema: text({}), values: any },
  { about: 'integers', schema: integer({}), values: any },
  { about: 'numbers', schema: number({}), values: any },
  { about: 'booleans', schema: { type: 'boolean' }, values: any },
  { about: 'nulls that are allowed', schema: text({ nullable: true }), values: any },
  { about: 'int32', schema: integer({ format: 'int32' }), values: any },
  { about: 'int64', schema: integer({ format: 'int64' }), values: any },
  { about: 'float', schema: number({ format: 'float' }), values: any },
  { about: 'double', schema: number({ format: 'double' }), values: any },
  { about: 'a format of another type', schema: number({ format: 'int32' }), values: any },
  { about: 'whole bounds', schema: integer({ minimum: 1, maximum: 3 }), values: any },
  {
    about: 'bounds that are left out',
    schema: integer({ minimum: 1, maximum: 3, exclusiveMinimum: true, exclusiveMaximum: true }),
    values: any,
  },
  { about: 'bounds with a fraction', schema: number({ minimum: 1.5, maximum: 2.5 }), values: any },
  { about: 'negative bounds', schema: number({ minimum: -1.5, maximum: -0.5 }), values: any },
  { about: 'bounds with a fraction of integers', schema: integer({ minimum: 0.5 }), values: any },
  {
    about: 'bounds beyond the format',
    schema: integer({ format: 'int32', maximum: 2 ** 40 }),
    values: any,
  },
  {
    about: 'bounds that exclude each other',
    schema: integer({ minimum: 3, maximum: 1 }),
    values: any,
  },
  {
    about: 'bounds with a fraction that exclude each other',
    schema: number({ minimum: 0.7, maximum: 0.5 }),
    values: any,
  },
  {
    about: 'bounds that exclude those of allOf',
    schema: integer({ minimum: 3, allOf: [{ maximum: 1 }] }),
    values: [1, 2, 3],
  },
  {
    about: 'multiples that are out of bounds',
    schema: integer({ minimum: 1, maximum: 9, multipleOf: 10 }),
    values: [0, 1, 5, 10],
  },
  { about: 'multiples of a half of integers', schema: integer({ multipleOf: 0.5 }), values: any },
  { about: 'an enum of texts of integers', schema: integer({ enum: ['1', 'a'] }), values: any },
  {
    about: 'an enum of texts that are too long',
    schema: text({ maxLength: 1, enum: ['aa'] }),
    values: ['a', 'aa'],
  },
  {
    about: 'lengths that exclude each other',
    schema: text({ minLength: 2, maxLength: 1 }),
    values: ['', 'a', 'aa'],
  },
  {
    about: 'sizes that exclude each other',
    schema: { type: 'array', items: text({}), minItems: 2, maxItems: 1 },
    values: [[], ['a'], ['a', 'b']],
  },
  {
    about: 'a field that must be there and is not declared',
    schema: object({ b: text({}) }, { required: ['a'] }),
    values: [{}, { a: 'x' }, { a: 'x', b: 'x' }],
  },
  { about: 'bounds of 2^60', schema: integer({ maximum: 2 ** 60 }), values: any },
  { about: 'multiples', schema: integer({ multipleOf: 3 }), values: any },
  { about: 'multiples of a fraction', schema: number({ multipleOf: 0.1 }), values: any },
  { about: 'multiples of 1.5', schema: number({ multipleOf: 1.5 }), values: any },
  { about: 'enum of strings', schema: text({ enum: ['a', '1', ''] }), values: any },
  { about: 'enum of integers', schema: integer({ enum: [1, 2] }), values: any },
  { about: 'enum of numbers', schema: number({ enum: [1, 1.5, 97] }), values: any },
  { about: 'enum of either', schema: { ...intOrString, enum: ['a', 1] }, values: any },
  { about: 'enum with null', schema: text({ nullable: true, enum: ['a'] }), values: any },
  {
    about: 'enum that names null',
    schema: text({ nullable: true, enum: ['a', null] }),
    values: [null, 'a', 'b'],
  },
  {
    about: 'enum of objects',
    schema: object({ a: number({}) }, { enum: [{ a: 1 }, {}] }),
    values: [{ a: 1 }, { a: 1.5 }, {}, { a: 2 }],
  },
  {
    about: 'lengths in characters',
    schema: text({ minLength: 2, maxLength: 3 }),
    values: [
      '',
      'a',
      'ab',
      'abc',
      'abcd',
      '😀',
      '😀😀',
      '😀😀😀',
      '😀😀😀😀',
      '\ud800',
      '\ud800\ud800',
    ],
  },
  {
    about: 'patterns',
    schema: text({ pattern: '^[a-z]+$' }),
    values: ['', 'a', 'a\n', 'A', 'é', 'aé', '\ud800'],
  },
  {
    about: 'patterns of Go',
    schema: text({ pattern: '(?i)^\\pL+\\z' }),
    values: ['', 'a', 'a\n', 'é', '١', '\ud800', 'ſ'],
  },
  {
    about: 'patterns of half a character',
    schema: text({ pattern: '^\\x{fffd}$' }),
    values: ['\ud800', '\ufffd', 'a'],
  },
  {
    about: 'patterns that are not anchored',
    schema: text({ pattern: 'a.c' }),
    values: ['xabcx', 'a\nc', 'a\rc', 'a😀c'],
  },
  { about: 'int or string', schema: intOrString, values: any },
  {
    about: 'int or string as everybody writes it',
    schema: { ...intOrString, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    values: any,
  },
  {
    about: 'int or string with bounds',
    schema: { ...intOrString, minimum: 1, maximum: 5, pattern: '^[0-9]+%$' },
    values: [...any, '5%'],
  },
  ...Object.entries(formats).map(([format, values]) => ({
    about: `format ${format}`,
    schema: text({ format }),
    values: [...values, ...others, 1],
  })),
  {
    about: 'a format without a type',
    schema: text({ anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }),
    values: ['1.2.3.4', '::1', 'x', []],
  },
  {
    about: 'a format without a type beside a number',
    schema: { ...intOrString, anyOf: [{ format: 'ipv4' }, { maximum: 5 }] },
    values: ['1.2.3.4', 'x', 3, 7],
  },
  {
    about: 'allOf',
    schema: text({ allOf: [{ minLength: 2 }, { pattern: '^a' }] }),
    values: ['a', 'ab', 'b', 'bc', 1],
  },
  {
    about: 'oneOf',
    schema: object(
      { a: integer({}), b: integer({}) },
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    ),
    values: [{}, { a: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: null }, null],
  },
  {
    about: 'anyOf within objects',
    schema: object(
      { a: integer({}), b: text({}) },
      {
        anyOf: [
          { properties: { a: { minimum: 5 } } },
          { properties: { b: { enum: ['x'] } }, required: ['b'] },
        ],
      },
    ),
    values: [{}, { a: 1 }, { a: 7 }, { a: 1, b: 'x' }, { a: 1, b: 'y' }, { c: 1 }],
  },
  { about: 'not', schema: text({ not: { enum: ['a'] } }), values: ['a', 'b', 1] },
  {
    about: 'not of a null',
    schema: text({ nullable: true, not: { enum: ['a'] }, allOf: [{ minLength: 3 }] }),
    values: ['a', 'abc', null],
  },
  {
    about: 'not of a null that it would take',
    schema: text({ nullable: true, not: { minLength: 3 } }),
    values: ['a', 'abc', null],
  },
  {
    about: 'oneOf of a null',
    schema: text({ nullable: true, oneOf: [{ minLength: 2 }, { maxLength: 3 }] }),
    values: ['a', 'ab', 'abcd', null],
  },
  {
    about: 'unknown fields',
    schema: object({
      a: object({ b: text({}) }),
      c: { type: 'array', items: object({ d: text({}) }) },
    }),
    values: [
      { a: { b: 'x', e: 1 }, f: 1, c: [{ d: 'x', g: [] }, { h: { i: 1 } }] },
      JSON.parse('{"__proto__":1,"toString":2,"constructor":{"a":1}}'),
      { '': 1, A: 1 },
    ],
  },
  {
    about: 'fields that are kept',
    schema: object(
      {
        a: object({ b: text({}) }),
        l: { type: 'array', items: object({ x: text({}) }), ...preserved },
      },
      preserved,
    ),
    values: [
      { a: { b: 'x', e: 1 }, f: { g: { h: null } }, l: [{ x: 'a', y: 1 }, { z: { x: 1 } }] },
    ],
  },
  {
    about: 'a list whose items keep their fields',
    schema: { type: 'array', items: object({ x: object({ y: text({}) }) }), ...preserved },
    values: [[{ x: { y: 'a', z: 1 }, w: 1 }], [{ w: { x: { z: 1 } } }]],
  },
  {
    about: 'anything at all',
    schema: preserved,
    values: [...any, { a: { b: null } }, [{ a: null }]],
  },
  {
    about: 'entries of a schema',
    schema: {
      type: 'object',
      additionalProperties: object({ a: integer({}) }),
      minProperties: 1,
      maxProperties: 2,
    },
    values: [
      {},
      { x: {} },
      { x: { a: 1, b: 2 }, y: { a: 'x' } },
      { a: {}, b: {}, c: {} },
      { x: null },
      [],
    ],
  },
  {
    about: 'entries of any kind',
    schema: { type: 'object', additionalProperties: true },
    values: [{ a: 1, b: 'x', c: null, d: { e: 1 }, f: [{ g: 1 }, 2], h: {} }, {}],
  },
  {
    about: 'entries of lists of either',
    schema: { type: 'object', additionalProperties: { type: 'array', items: intOrString } },
    values: [{ a: [1, 'x'] }, { a: [1.5] }, { a: [null] }, { a: null }],
  },
  {
    about: 'counts of entries after defaults',
    schema: object(
      { a: text({ default: 'x' }), b: text({}), c: text({}) },
      { minProperties: 1, maxProperties: 2 },
    ),
    values: [{}, { b: 'x' }, { b: 'x', c: 'x' }, { a: 'y', b: 'x' }, { d: 1 }],
  },
  {
    about: 'a required field with a default',
    schema: object({ a: text({ default: 'x' }) }, { required: ['a'] }),
    values: [{}, { a: null }, { a: 'y' }, { a: 1 }],
  },
  {
    about: 'required fields',
    schema: object({ a: text({}), b: text({ nullable: true }) }, { required: ['a', 'b'] }),
    values: [{}, { a: 'x' }, { a: null, b: null }, { a: 'x', b: null }],
  },
  {
    about: 'defaults of defaults',
    schema: object({
      a: object(
        { b: integer({ default: 5 }), c: object({ d: text({ default: 'x' }) }) },
        { default: {} },
      ),
      l: { type: 'array', default: [{}], items: object({ e: text({ default: 'y' }) }) },
      m: { type: 'object', additionalProperties: object({ f: text({ default: 'z' }) }) },
      n: text({ nullable: true, default: 'n' }),
      o: { type: 'array', items: text({ default: 'o' }) },
      p: { type: 'object', additionalProperties: text({ default: 'p' }) },
      q: { type: 'object', additionalProperties: text({}) },
      r: { type: 'array', items: text({}) },
      s: { type: 'array', items: text({ nullable: true }) },
    }),
    values: [
      {},
      { a: {} },
      { a: null, l: null, m: null, n: null },
      { a: { b: null, c: {} } },
      { l: [], m: { x: {}, y: null } },
      { o: [null, 'x'], p: { a: null } },
      { q: { a: null, b: 'x' } },
      { r: [null] },
      { s: [null, 'x'] },
      { a: 'x' },
    ],
  },
  {
    about: 'lists',
    schema: { type: 'array', items: integer({}), minItems: 1, maxItems: 2 },
    values: [...any, [1, 2], [1, 2, 3], ['x', 1], [null]],
  },
  {
    about: 'sets',
    schema: { type: 'array', items: number({}), 'x-kubernetes-list-type': 'set' },
    values: [[1, 2], [1, 1], [1, 1.5, 1.5], [1, 2, 1, 2, 1], [], [2 ** 60, 2 ** 60]],
  },
  {
    about: 'sets of either',
    schema: { type: 'array', items: intOrString, 'x-kubernetes-list-type': 'set' },
    values: [
      [1, '1'],
      ['1', '1'],
      ['a', 1, 'a'],
    ],
  },
  {
    about: 'sets of lists',
    schema: {
      type: 'array',
      items: { type: 'array', items: number({}), 'x-kubernetes-list-type': 'atomic' },
      'x-kubernetes-list-type': 'set',
    },
    values: [
      [[1], [1]],
      [[1], [2]],
      [[], []],
      [
        [1, 2],
        [2, 1],
      ],
    ],
  },
  {
    about: 'sets of objects',
    schema: {
      type: 'array',
      items: { ...object({ a: integer({}), b: integer({}) }), 'x-kubernetes-map-type': 'atomic' },
      'x-kubernetes-list-type': 'set',
    },
    values: [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [{ a: 1 }, { a: 1, c: 3 }],
      [{ a: 1 }, { a: 2 }],
    ],
  },
  {
    about: 'lists by a key',
    schema: listMap,
    values: [
      [],
      [{ name: 'a' }],
      [{ name: 'a' }, { name: 'a' }],
      [{ name: 'a' }, { name: 'b', x: 1 }],
      [{}, {}],
      [{ name: 1 }, { name: 1 }],
      [null],
      ['a'],
      [{ name: 'a' }, { name: 'a' }, { name: 'a' }],
    ],
  },
  {
    about: 'lists by two keys, one with a default',
    schema: {
      type: 'array',
      items: object(
        { port: integer({}), protocol: text({ default: 'TCP' }) },
        { required: ['port'] },
      ),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    },
    values: [
      [{ port: 1 }, { port: 1, protocol: 'TCP' }],
      [{ port: 1 }, { port: 1, protocol: 'UDP' }],
      [{ port: 1 }, { port: 1, protocol: null }],
      [{ port: 1 }, { port: 2 }],
    ],
  },
  {
    about: 'lists by a key deep within',
    schema: object({ a: { type: 'object', additionalProperties: object({ l: listMap }) } }),
    values: [{ a: { x: { l: [{ name: 'a' }, { name: 'a' }] }, y: { l: [{ name: 'a' }] } } }],
  },
  {
    about: 'embedded objects',
    schema: { ...embedded, ...preserved },
    values: [
      {},
      head,
      { ...head, spec: { a: 1 } },
      { apiVersion: 'v1' },
      { kind: 'Pod' },
      { ...head, apiVersion: '' },
      { ...head, apiVersion: 'a/b/c' },
      { ...head, apiVersion: 1 },
      { ...head, apiVersion: '/' },
      { ...head, kind: '' },
      { ...head, kind: 'a b' },
      { ...head, kind: 1 },
      { ...head, kind: null },
      { ...head, kind: '1a' },
      { ...head, kind: 'a'.repeat(63) },
      { ...head, kind: 'a'.repeat(64) },
      { ...head, metadata: {} },
      { ...head, metadata: null },
      { ...head, metadata: 'x' },
      { ...head, metadata: { name: 'a/b' } },
      { ...head, metadata: { name: '..' } },
      { ...head, metadata: { name: 'A b' } },
      { ...head, metadata: { name: 1 } },
      { ...head, metadata: { generateName: 'a%' } },
      { ...head, metadata: { namespace: 'A' } },
      { ...head, metadata: { unknown: 1, name: 'a' } },
      { ...head, metadata: { labels: { a: 'b', 'c d': 'x' } } },
      { ...head, metadata: { labels: { a: 'b c' } } },
      { ...head, metadata: { labels: { a: 1 } } },
      { ...head, metadata: { labels: { a: null } } },
      { ...head, metadata: { labels: {} } },
      { ...head, metadata: { labels: { 'a/b/c': '' } } },
      { ...head, metadata: { labels: { 'A/b': '' } } },
      { ...head, metadata: { annotations: { 'A/b': 'x y' } } },
      { ...head, metadata: { annotations: { a: 'x'.repeat(262_144) } } },
      { ...head, metadata: { annotations: { a: 'x'.repeat(262_143) } } },
      { ...head, metadata: { annotations: { a: 'ä'.repeat(131_072) } } },
      { ...head, metadata: { finalizers: ['a/b', 'x y'] } },
      { ...head, metadata: { finalizers: ['orphan', 'foregroundDeletion'] } },
      { ...head, metadata: { finalizers: [null] } },
      { ...head, metadata: { creationTimestamp: null } },
      { ...head, metadata: { creationTimestamp: '2020-01-01T01:00:00.5+01:00' } },
      { ...head, metadata: { creationTimestamp: '2020-01-01T01:00:00' } },
      { ...head, metadata: { creationTimestamp: 'x' } },
      { ...head, metadata: { generation: -1 } },
      { ...head, metadata: { generation: 1.5 } },
      { ...head, metadata: { generation: 0, deletionGracePeriodSeconds: 0, uid: '' } },
      { ...head, metadata: { ownerReferences: [{}] } },
      ...owners.map((owner) => ({ ...head, metadata: { ownerReferences: [owner] } })),
      { ...head, metadata: { ownerReferences: [null] } },
      {
        ...head,
        metadata: {
          ownerReferences: [
            { ...head, name: 'a', uid: 'b', x: 1, controller: true },
            { ...head, name: 'b', uid: 'c', controller: true },
          ],
        },
      },
      {
        ...head,
        metadata: { ownerReferences: [{ ...head, name: 'a', uid: 'b', controller: null }] },
      },
      {
        ...head,
        metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'b' }] },
      },
      {
        ...head,
        metadata: {
          managedFields: [{ manager: 'a', operation: 'Apply', fieldsV1: { 'f:a': {} } }],
        },
      },
      { ...head, metadata: { managedFields: [{ operation: 'X' }] } },
      { ...head, metadata: { managedFields: [{ operation: 'Update', fieldsType: 'X' }] } },
    ],
  },
  {
    about: 'embedded objects without fields of their own',
    schema: {
      ...embedded,
      properties: {
        spec: object({ a: integer({}) }),
        metadata: object({ name: text({ maxLength: 3 }) }),
      },
    },
    values: [
      { ...head, spec: { a: 1, b: 1 }, x: 1 },
      { ...head, metadata: { name: 'abcd', labels: { a: 'b' } } },
      { ...head, metadata: { name: 'abc', x: 1 } },
    ],
  },
  {
    about: 'rules that blame a field',
    schema: object(
      {
        a: text({ maxLength: 9 }),
        m: { type: 'object', maxProperties: 3, additionalProperties: text({ maxLength: 9 }) },
      },
      {
        'x-kubernetes-validations': [
          { rule: "!has(self.a) || self.a != 'x'", fieldPath: '.a' },
          { rule: "!has(self.m) || !('b.c' in self.m)", fieldPath: ".m['b.c']" },
          { rule: "!has(self.m) || !('d\\'e' in self.m)", fieldPath: ".m['d\\'e']" },
        ],
      },
    ),
    values: [{}, { a: 'x' }, { a: 'y' }, { m: { 'b.c': 'y' } }, { m: { "d'e": 'y' } }],
  },
  {
    about: 'rules of what may be null',
    schema: text({
      nullable: true,
      maxLength: 9,
      'x-kubernetes-validations': [{ rule: "self == 'a'" }],
    }),
    values: [null, 'a', 'b'],
  },
  {
    about: 'bounds with a fraction that are left out',
    schema: number({ minimum: 1.5, maximum: 2.5, exclusiveMinimum: true, exclusiveMaximum: true }),
    values: [1, 1.5, 1.6, 2, 2.4, 2.5, 2.6, 3],
  },
  {
    about: 'bounds beside multiples',
    schema: number({ minimum: 1, maximum: 3, multipleOf: 1 }),
    values: [0, 1, 2, 3, 4],
  },
  {
    about: 'bounds that are left out beside multiples',
    schema: number({
      minimum: 1,
      maximum: 3,
      exclusiveMinimum: true,
      exclusiveMaximum: true,
      multipleOf: 1,
    }),
    values: [0, 1, 2, 3, 4],
  },
  {
    about: 'bounds with a fraction, of numbers with one',
    schema: number({ minimum: -2.5, maximum: 2.5 }),
    values: [-2.6, -2.5, 2.5, 2.6],
  },
  {
    about: 'multiples of a half',
    schema: number({ multipleOf: 0.5 }),
    values: [0.5, -0.5, 0.3, 4503599627370495.5, 2251799813685247.75],
  },
  {
    about: 'multiples of a tenth that are nearly one',
    schema: number({ multipleOf: 0.1 }),
    values: [0.30000000000000004, -0.30000000000000004, -0.3, 0.30000001],
  },
  {
    about: 'numbers that are nearly whole, or strings',
    schema: intOrString,
    values: [-1.0000000001, 1.00000001, 3.0000000001, 2.9999999999],
  },
  {
    about: 'multiples of 1.1',
    schema: number({ multipleOf: 1.1 }),
    values: [1.1, -1.1, -220.00000000000003, -204.60000000000002, 204.60000000000002],
  },
  { about: 'multiples of nothing', schema: number({ multipleOf: 0 }), values: [0, 1, 1.5, -0.5] },
  {
    about: 'multiples of less than nothing',
    schema: number({ multipleOf: -0.5 }),
    values: [0, 1, 1.5, -0.5],
  },
  {
    about: 'numbers that are nearly whole',
    schema: integer({}),
    values: [-1.0000000001, 1.00000001, 3.0000000001, 2.9999999999],
  },
  {
    about: 'an enum of characters of integers',
    schema: integer({ enum: ['\u0000', '\ud7ff', '\ue000', '\ufffd', '\u{10ffff}'] }),
    values: [0, 1, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xe001, 0x10fffe, 0x10ffff, 0x110000, -1],
  },
  { about: 'an enum of true of integers', schema: integer({ enum: [true, 2] }), values: [1, 2] },
  {
    about: 'an enum of fractions below zero',
    schema: number({ enum: [-1, 2.5] }),
    values: [-1, -1.5, -2, 2, 2.5, 2.6],
  },
  { about: 'an enum of nothing', schema: integer({ enum: [] }), values: [1, 'a', null] },
  { about: 'an enum of no texts', schema: text({ enum: [] }), values: ['', 'a', null] },
  {
    about: 'a format beside an object',
    schema: object({ a: text({}) }, { anyOf: [{ format: 'ipv4' }] }),
    values: [{}, { a: '1.2.3.4' }],
  },
  {
    about: 'a format beside a list',
    schema: { type: 'array', items: text({}), anyOf: [{ format: 'ipv4' }] },
    values: [[], ['x']],
  },
  {
    about: 'a format beside true and false',
    schema: { type: 'boolean', anyOf: [{ format: 'ipv4' }] },
    values: [true, false],
  },
  {
    about: 'an enum, a length and a pattern',
    schema: text({ enum: ['ab', 'b', 'abc', 'xy'], maxLength: 2, pattern: '^a', format: 'uri' }),
    values: ['ab', 'b', 'abc', 'xy', 'ac'],
  },
  {
    about: 'a length, a pattern and a format',
    schema: text({ minLength: 3, pattern: '^1', format: 'ipv4' }),
    values: ['1.2.3.4', '2.3.4.5', '1.2.3', '1'],
  },
  {
    about: 'a rule beside anyOf',
    schema: text({
      maxLength: 9,
      anyOf: [{ minLength: 2 }, { pattern: '^b' }],
      'x-kubernetes-validations': [{ rule: "self != 'aa'" }],
    }),
    values: ['a', 'b', 'aa', 'ab'],
  },
  {
    about: 'allOf beside oneOf',
    schema: text({ allOf: [{ minLength: 2 }], oneOf: [{ pattern: '^a' }, { pattern: 'b$' }] }),
    values: ['a', 'ab', 'ac', 'cc'],
  },
  {
    about: 'allOf of lists',
    schema: { type: 'array', items: object({ a: text({}) }), allOf: [{ minItems: 1 }] },
    values: [[], [{ a: 'x' }], [{ b: 1 }]],
  },
  {
    about: 'rules about the metadata of an embedded object',
    schema: {
      ...embedded,
      ...preserved,
      properties: {
        metadata: object(
          {
            name: text({ maxLength: 9, 'x-kubernetes-validations': [{ rule: "self == 'a'" }] }),
            labels: {
              type: 'object',
              maxProperties: 9,
              additionalProperties: text({
                maxLength: 9,
                'x-kubernetes-validations': [{ rule: "self != 'x'" }],
              }),
            },
          },
          { 'x-kubernetes-validations': [{ rule: "!has(self.name) || self.name != 'c'" }] },
        ),
      },
    },
    values: [
      { ...head, metadata: { name: 'a', labels: { a: 'b' }, annotations: { a: 'b' } } },
      { ...head, metadata: { name: 'b' } },
      { ...head, metadata: { name: 'c' } },
      { ...head, metadata: { name: 'a', labels: { a: 'x' } } },
    ],
  },
  {
    about: 'lists in the metadata of an embedded object',
    schema: {
      ...embedded,
      ...preserved,
      properties: {
        metadata: object({
          finalizers: { type: 'array', items: text({}), 'x-kubernetes-list-type': 'set' },
          ownerReferences: {
            ...listMap,
            items: object({ name: text({}) }, { required: ['name'] }),
          },
        }),
      },
    },
    values: [
      { ...head, metadata: { finalizers: ['a/b', 'a/b'] } },
      { ...head, metadata: { finalizers: ['a/b', 'a/c'] } },
      {
        ...head,
        metadata: {
          ownerReferences: [
            { ...head, name: 'a', uid: 'b' },
            { ...head, name: 'a', uid: 'c' },
          ],
        },
      },
    ],
  },
  {
    about: 'what a null says to allOf, oneOf and not',
    schema: object({
      a: text({ nullable: true, allOf: [{ minLength: 2 }], oneOf: [{ maxLength: 3 }] }),
      b: text({ nullable: true, not: { minLength: 2 } }),
    }),
    values: [{ a: null, b: null }, { a: 'a' }, { a: 'aa', b: 'a' }],
  },
  {
    about: 'a set of sets',
    schema: {
      type: 'array',
      items: { type: 'array', items: text({}), 'x-kubernetes-list-type': 'set' },
    },
    values: [[['a'], ['a']], [['a', 'a']], [[], ['b', 'a', 'b']]],
  },
  {
    about: 'a field that must be there among entries',
    schema: { type: 'object', additionalProperties: integer({}), required: ['a'] },
    values: [{}, { b: 1 }, { a: 1 }, { a: 'x' }],
  },
  {
    about: 'a deep one',
    schema: object({
      a: object({
        b: object({
          c: {
            type: 'array',
            items: object({ d: { type: 'object', additionalProperties: integer({ minimum: 1 }) } }),
          },
        }),
      }),
    }),
    values: [
      { a: { b: { c: [{ d: { x: 0 } }] } } },
      { a: { b: { c: [{ d: { x: 1 } }, { d: { y: 0, z: 'x' } }] } } },
      { a: { b: { c: 'x' } } },
      { a: { b: { c: [{ e: 1 }] } } },
      { a: { b: [] } },
    ],
  },
];

/** Metadata of whole objects. */
export const metadatas: readonly object[] = [
  { name: 'a' },
  {},
  { name: '' },
  { name: 'A' },
  { name: 'a.b-c' },
  { name: 'a_b' },
  { name: 1 },
  { name: 'a'.repeat(253) },
  { name: 'a'.repeat(254) },
  { generateName: 'a-' },
  { generateName: 'A-' },
  { generateName: 'a.' },
  { name: 'a', generateName: '-' },
  { name: 'a', labels: { 'a b': 'c' } },
  { name: 'a', labels: { a: 'b c' } },
  { name: 'a', labels: { a: 1 } },
  { name: 'a', labels: null },
  { name: 'a', annotations: { A: 'b' } },
  { name: 'a', annotations: { 'a b': 'c' } },
  { name: 'a', finalizers: ['a b'] },
  { name: 'a', finalizers: ['example.com/a'] },
  { name: 'a', unknown: 1 },
  { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: '' }] },
  { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' }] },
  { name: 'a', creationTimestamp: 'x' },
  { name: 'a', generation: 'x' },
  { name: 'a', namespace: 'b' },
];
