import { bad, good, type Changes, type DefinitionCase } from './case.ts';

const field = (schema: unknown): Changes => ({ field: schema });
const root = (fields: object): Changes =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`schema.${name}`, value]));
const text = { type: 'string' };
const object = (properties: object, more: object = {}): object => ({
  type: 'object',
  properties,
  ...more,
});
const intOrString = [{ type: 'integer' }, { type: 'string' }];
const meta = (schema: unknown): Changes => ({ 'schema.properties.metadata': schema });
const embedded = (more: object): Changes =>
  field({ type: 'object', 'x-kubernetes-embedded-resource': true, ...more });
const preserving = { 'x-kubernetes-preserve-unknown-fields': true };

/** A field for each kind of error in types and unknown fields. */
const readingCases: readonly DefinitionCase[] = [
  bad('field-type', 'a number as a type', field({ type: 5 })),
  bad('field-type', 'a list as properties', field({ type: 'object', properties: [] })),
  bad('field-type', 'a text as required', field({ type: 'object', required: 'a' })),
  bad('field-type', 'a fraction as a length', field({ ...text, maxLength: 1.5 })),
  bad('field-type', 'a length beyond 64 bits', field({ ...text, maxLength: 2 ** 63 })),
  good('a length of nearly 64 bits', field({ ...text, maxLength: 2 ** 62 })),
  bad('field-type', 'a text as a bound', field({ type: 'integer', minimum: '1' })),
  bad('field-type', 'a text as a switch', field({ ...text, nullable: 'true' })),
  bad('field-type', 'a number as additionalProperties', field({ additionalProperties: 1 })),
  bad('field-type', 'a time that is none', { 'metadata.creationTimestamp': 'yesterday' }),
  bad('field-type', 'a day that is none', { 'metadata.creationTimestamp': '2026-02-29T00:00:00Z' }),
  good('a time', { 'metadata.creationTimestamp': '2024-02-29T00:00:00.5+01:00' }),
  bad('field-type', 'a number as the spec', { spec: 1 }),
  bad('unknown-field', 'an unknown field of a schema', field({ ...text, minLenght: 1 })),
  bad('unknown-field', 'an unknown field of the spec', { 'spec.validation': {} }),
  bad('unknown-field', 'a field in another case', { 'spec.Group': 'a' }),
  bad('unknown-field', 'an unknown field of the manifest', { data: {} }),
  bad('unknown-field', 'an unknown field of metadata', { 'metadata.clusterName': 'a' }),
  bad(
    'unknown-field',
    'an unknown field under allOf',
    field({ ...text, allOf: [{ examples: [] }] }),
  ),
  bad('unknown-field', 'an unknown field of a rule', {
    field: { ...text, 'x-kubernetes-validations': [{ rule: 'true', severity: 'low' }] },
  }),
  good('an unknown field below items, which goes without a word', {
    field: { type: 'array', items: { ...text, minLenght: 1 } },
  }),
  good('an unknown field below additionalProperties', {
    field: { type: 'object', additionalProperties: { ...text, minLenght: 1 } },
  }),
  good('null wherever nothing is', {
    field: { ...text, title: null, enum: null, default: null, items: null, properties: null },
  }),
  bad('type-missing', 'a field that is null', field(null)),
  good('items of what is no list', field({ ...text, items: 'a' })),
  bad('items', 'items that are a text', field({ type: 'array', items: 'a' })),
  bad('items-list', 'a list as items', field({ type: 'array', items: [text] })),
  bad('not-a-definition', 'another kind', { kind: 'CustomResource' }),
  bad('not-a-definition', 'the version before', { apiVersion: 'apiextensions.k8s.io/v1beta1' }),
  {
    ...bad('not-a-definition', 'no kind', { kind: undefined }),
    unlike: 'refused here alone',
  },
];

/** Structural schemas. */
const structuralCases: readonly DefinitionCase[] = [
  bad('type-missing', 'a root without a type', { 'schema.type': undefined }),
  bad('root-type', 'a root that is a list', root({ type: 'array', items: text })),
  good('a root that preserves unknown fields and has no type', {
    'schema.type': undefined,
    ...root(preserving),
  }),
  bad('root-nullable', 'a root that can be null', root({ nullable: true })),
  bad('root-additional-properties', 'a root that is a mapping', {
    'schema.properties': undefined,
    ...root({ additionalProperties: text }),
  }),
  bad('root-additional-properties', 'a root open to everything', {
    'schema.additionalProperties': true,
  }),
  bad('type-missing', 'a field without a type', field({})),
  bad('type-missing', 'items without a type', field({ type: 'array', items: {} })),
  bad(
    'type-missing',
    'entries without a type',
    field({ type: 'object', additionalProperties: {} }),
  ),
  bad('items', 'a list without items', field({ type: 'array' })),
  bad('type', 'an unknown type', field({ type: 'text' })),
  bad('type', 'null as a type', field({ type: 'null' })),
  good('a field that preserves unknown fields', field(preserving)),
  bad('preserve-unknown-fields', 'unknown fields that are not preserved', {
    field: { ...text, 'x-kubernetes-preserve-unknown-fields': false },
  }),
  bad('unique-items', 'unique items', field({ type: 'array', items: text, uniqueItems: true })),
  bad('additional-properties', 'properties in a mapping', {
    field: object({ a: text }, { additionalProperties: text }),
  }),
  bad('additional-properties', 'properties and no others', {
    field: object({ a: text }, { additionalProperties: false }),
  }),
  good('properties in a mapping of anything', {
    field: object({ a: text }, { additionalProperties: true }),
  }),
  ...['id', '$schema', '$ref'].map((name) =>
    bad('unsupported-field', `a schema with ${name}`, field({ ...text, [name]: '#/a' })),
  ),
  bad('unsupported-field', 'an empty reference', field({ ...text, $ref: '' })),
  bad('unsupported-field', 'definitions', field({ ...text, definitions: { a: text } })),
  bad('unsupported-field', 'patternProperties', {
    field: { type: 'object', patternProperties: { a: text } },
  }),
  bad('unsupported-field', 'dependencies', field({ type: 'object', dependencies: { a: ['b'] } })),
  bad('unsupported-field', 'no dependencies', field({ type: 'object', dependencies: {} })),
  bad('unsupported-field', 'additionalItems', {
    field: { type: 'array', items: text, additionalItems: false },
  }),
  good('definitions of nothing', field({ ...text, definitions: {}, patternProperties: {} })),
  bad('pattern', 'a pattern that looks behind', field({ ...text, pattern: '(?<=a)b' })),
  bad('pattern', 'a pattern with an open bracket', field({ ...text, allOf: [{ pattern: '[' }] })),
  good('a pattern of Go alone', field({ ...text, pattern: '(?i)\\A[[:alpha:]]\\z' })),

  ...Object.entries({
    type: 'string',
    additionalProperties: true,
    default: 'a',
    title: 'a',
    description: 'a',
    nullable: true,
    'x-kubernetes-preserve-unknown-fields': true,
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-int-or-string': true,
    'x-kubernetes-list-map-keys': ['a'],
    'x-kubernetes-list-type': 'atomic',
    'x-kubernetes-map-type': 'atomic',
    'x-kubernetes-validations': [{ rule: 'true' }],
  }).flatMap(([name, value]) =>
    (['allOf', 'anyOf', 'oneOf', 'not'] as const).map((junctor, i) =>
      bad('inside-junctor', `${name} under ${junctor}`, {
        field: {
          ...text,
          [junctor]: i === 3 ? { [name]: value } : [{ minLength: 1 }, { [name]: value }],
        },
      }),
    ),
  ),
  bad('inside-junctor', 'a type in a field under anyOf', {
    field: object({ a: text }, { anyOf: [{ properties: { a: { type: 'string' } } }] }),
  }),
  bad('inside-junctor', 'a type in items under not', {
    field: { type: 'array', items: text, not: { items: { type: 'string' } } },
  }),
  bad('inside-junctor', 'metadata under allOf', {
    field: object({ metadata: object({}) }, { allOf: [{ properties: { metadata: {} } }] }),
  }),
  good('what says nothing under anyOf', {
    field: { ...text, anyOf: [{ additionalProperties: false, title: '', nullable: false }] },
  }),
  good('value validations under all of them', {
    field: {
      ...text,
      allOf: [{ minLength: 1 }],
      anyOf: [{ pattern: 'a' }, { enum: ['b'] }],
      oneOf: [{ format: 'uri' }, { maxLength: 3 }],
      not: { enum: ['c'], example: 'c', externalDocs: { url: 'a' } },
    },
  }),
  bad('not-outside', 'a field of the root that is only under anyOf', {
    'schema.anyOf': [{ properties: { status: { required: ['a'] } } }],
  }),
  bad('not-outside', 'a field below that is only under not', {
    'schema.not': { properties: { spec: { properties: { g: { minLength: 1 } } } } },
  }),
  bad('not-outside', 'items that are only under allOf of a clause', {
    'schema.anyOf': [{ allOf: [{ properties: { spec: { items: { minLength: 1 } } } }] }],
  }),
  bad('not-outside', 'a field that is only under oneOf of a field of a clause', {
    'schema.allOf': [{ properties: { spec: { oneOf: [{ properties: { g: {} } }] } } }],
  }),
  good('a field below the root that is only under anyOf', {
    field: object({}, { anyOf: [{ properties: { a: { minLength: 1 } } }] }),
  }),

  good('an int or string', field({ 'x-kubernetes-int-or-string': true })),
  good('an int or string with types', {
    field: { 'x-kubernetes-int-or-string': true, anyOf: intOrString },
  }),
  good('an int or string with types and more', {
    field: {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: intOrString }, { pattern: 'a' }],
    },
  }),
  good('the same types of what is no int or string', field({ ...text, anyOf: intOrString })),
  good('types with fields that say nothing', {
    field: {
      'x-kubernetes-int-or-string': true,
      anyOf: [
        { type: 'integer', enum: [], allOf: [] },
        { type: 'string', title: '' },
      ],
    },
  }),
  bad('inside-junctor', 'types with a list of nothing required', {
    field: {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer', required: [] }, { type: 'string' }],
    },
  }),
  bad('inside-junctor', 'types in the other order', {
    field: { 'x-kubernetes-int-or-string': true, anyOf: intOrString.toReversed() },
  }),
  bad('inside-junctor', 'types as the second of allOf', {
    field: {
      'x-kubernetes-int-or-string': true,
      allOf: [{ pattern: 'a' }, { anyOf: intOrString }],
    },
  }),
  bad('inside-junctor', 'three types', {
    field: { 'x-kubernetes-int-or-string': true, anyOf: [...intOrString, { type: 'boolean' }] },
  }),
  bad('int-or-string', 'an int or string that preserves', {
    field: { 'x-kubernetes-int-or-string': true, ...preserving },
  }),
  bad('int-or-string', 'an int or string that is an object', {
    field: {
      type: 'object',
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-embedded-resource': true,
    },
  }),

  good('an embedded resource', embedded(preserving)),
  good('an embedded resource with fields', embedded({ properties: { spec: object({}) } })),
  bad('embedded-resource', 'an embedded resource without fields', embedded({})),
  bad('embedded-resource', 'an embedded resource without a type', {
    field: { 'x-kubernetes-embedded-resource': true, ...preserving },
  }),
  bad('embedded-resource', 'an embedded resource that is a list', {
    ...embedded({ ...preserving, type: 'array', items: text }),
  }),
  bad('embedded-resource', 'an embedded resource that is a mapping', {
    ...embedded({ ...preserving, additionalProperties: text }),
  }),
  bad('embedded-in-metadata', 'an embedded resource in metadata', {
    ...embedded({
      properties: {
        metadata: object({
          a: { type: 'object', 'x-kubernetes-embedded-resource': true, ...preserving },
        }),
      },
    }),
  }),
  bad('meta-type', 'an embedded kind that is a number', {
    ...embedded({ properties: { kind: { type: 'integer' } } }),
  }),
  bad('meta-type', 'embedded metadata that is a text', {
    ...embedded({ properties: { metadata: text } }),
  }),
  good('embedded metadata with labels', {
    ...embedded({ properties: { metadata: object({ labels: object({ a: text }) }) } }),
  }),

  good('metadata', meta({ type: 'object' })),
  good('metadata with a name', meta(object({ name: { type: 'string', maxLength: 10 } }))),
  good('metadata with both names', meta(object({ name: text, generateName: text }))),
  good('metadata with nothing in many ways', {
    ...meta({ type: 'object', title: '', properties: {}, allOf: [], enum: [], definitions: {} }),
  }),
  bad('root-metadata', 'metadata with labels', meta(object({ name: text, labels: object({}) }))),
  bad('root-metadata', 'metadata with a description', {
    ...meta({ type: 'object', description: 'a' }),
  }),
  bad('root-metadata', 'metadata with nothing required', meta({ type: 'object', required: [] })),
  bad('root-metadata', 'metadata that preserves', meta({ type: 'object', ...preserving })),
  bad('meta-type', 'metadata without a type', meta(preserving)),
  bad('meta-type', 'an apiVersion that is a number', {
    'schema.properties.apiVersion': { type: 'integer' },
  }),
  bad('default-forbidden', 'a default for the kind', {
    'schema.properties.kind': { type: 'string', default: 'Thing' },
  }),
  bad('default-forbidden', 'a default in metadata', {
    ...meta(object({ name: { type: 'string', default: 'a' } })),
  }),
  bad('default-forbidden', 'a default for metadata', meta({ type: 'object', default: {} })),

  ...Object.entries({
    default: {},
    enum: [],
    maxProperties: 1,
    allOf: [],
    not: { required: ['a'] },
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-map-type': 'atomic',
  }).map(([name, value]) =>
    bad('root-with-status', `${name} at the root, where status is a subresource`, {
      ...root({ [name]: value }),
      'version.subresources': { status: {} },
    }),
  ),
  good('allOf at the root without status', root({ allOf: [{ required: ['spec'] }] })),
  good('rules and required fields at the root, where status is a subresource', {
    ...root({ required: ['spec'], 'x-kubernetes-validations': [{ rule: 'true' }], ...preserving }),
    'version.subresources': { status: {} },
  }),
  bad('root-with-status', 'a shared schema where only one version has status', {
    ...root({ minProperties: 1 }),
    'spec.versions.1': {
      name: 'v2',
      served: true,
      storage: false,
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: object({ spec: object({ name: text, f: text }) }, { minProperties: 1 }),
      },
    },
  }),
  good('an unknown format, which is not looked at', field({ ...text, format: 'color' })),
  good('bounds that nothing can be in', {
    field: { type: 'integer', minimum: 2, maximum: 1, enum: ['a', null], multipleOf: -1 },
  }),
];

/** Lists and mappings. */
const listCases: readonly DefinitionCase[] = (() => {
  const list = (type: string, items: object, more: object = {}): Changes =>
    field({ type: 'array', items, 'x-kubernetes-list-type': type, ...more });
  const item = object({ k: text, v: text }, { required: ['k'] });
  const keyed = (items: object, ...keys: string[]): Changes =>
    list('map', items, { 'x-kubernetes-list-map-keys': keys });
  return [
    good('an atomic list', list('atomic', item)),
    good('a set', list('set', text)),
    good('a set of atomic lists', list('set', { type: 'array', items: text })),
    good('a set of atomic objects', list('set', { ...item, 'x-kubernetes-map-type': 'atomic' })),
    bad('set-items', 'a set of objects', list('set', item)),
    bad('set-items', 'a set of sets', {
      ...list('set', { type: 'array', items: text, 'x-kubernetes-list-type': 'set' }),
    }),
    bad('list-item-nullable', 'a set with null in it', list('set', { ...text, nullable: true })),
    bad('list-type', 'an unknown list type', list('bag', text)),
    bad('list-type', 'an empty list type', list('', text)),
    bad('list-type', 'a list type of a text', field({ ...text, 'x-kubernetes-list-type': 'set' })),
    good('a list map', keyed(item, 'k')),
    good('a list map with two keys', keyed({ ...item, required: ['k', 'v'] }, 'k', 'v')),
    good('a key with a default', keyed(object({ k: { ...text, default: 'a' } }), 'k')),
    bad('list-map-keys', 'a list map without keys', keyed(item)),
    bad('list-map-keys', 'keys that are null', list('map', item)),
    bad('list-map-keys', 'a key that is no field', keyed(item, 'x')),
    bad('list-map-keys', 'a key twice', keyed(item, 'k', 'k')),
    bad('list-map-keys', 'a key that is an object', {
      ...keyed(object({ k: object({}) }, { required: ['k'] }), 'k'),
    }),
    bad('list-map-keys', 'a key that is a list', {
      ...keyed(object({ k: { type: 'array', items: text } }, { required: ['k'] }), 'k'),
    }),
    bad('list-map-keys', 'keys of a set', {
      ...list('set', text, { 'x-kubernetes-list-map-keys': ['k'] }),
    }),
    bad('list-map-keys', 'keys of a list', {
      field: { type: 'array', items: item, 'x-kubernetes-list-map-keys': ['k'] },
    }),
    bad('list-map-items', 'a list map of texts', keyed(text, 'k')),
    bad('list-map-items', 'a list map without items', {
      field: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    }),
    bad('list-map-key-optional', 'a key that can be absent', keyed(object({ k: text }), 'k')),
    bad('list-map-key-nullable', 'a key that can be null', {
      ...keyed(object({ k: { ...text, nullable: true } }, { required: ['k'] }), 'k'),
    }),
    bad(
      'list-item-nullable',
      'a list map with null in it',
      keyed({ ...item, nullable: true }, 'k'),
    ),
    good('an int or string as key', {
      ...keyed(object({ k: { 'x-kubernetes-int-or-string': true } }, { required: ['k'] }), 'k'),
    }),
    good('an atomic mapping', field(object({ a: text }, { 'x-kubernetes-map-type': 'atomic' }))),
    bad('map-type', 'an unknown map type', {
      field: object({ a: text }, { 'x-kubernetes-map-type': 'set' }),
    }),
    bad('map-type', 'a map type of a text', field({ ...text, 'x-kubernetes-map-type': 'atomic' })),
    bad('map-type', 'a map type of what has no type', {
      field: { ...preserving, 'x-kubernetes-map-type': 'granular' },
    }),
  ];
})();

/** Definitions of more than 3 MiB. */
const sizeCases: readonly DefinitionCase[] = [
  bad('size', 'a definition of more than 3 MiB', {
    'field.description': 'a'.repeat(3 * 1024 * 1024),
  }),
];

/** Decoding, structure and merging of schemas. */
export const schemaCases: readonly DefinitionCase[] = [
  ...readingCases,
  ...structuralCases,
  ...listCases,
  ...sizeCases,
];
