import { bad, good, type Changes, type DefinitionCase } from './case.ts';

const schema = (...names: string[]): object => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      },
    },
  },
});

const v1 = { name: 'v1', served: true, storage: true, schema: schema('a') };
const v2 = { name: 'v2', served: true, storage: false, schema: schema('a') };
const versions = (...list: object[]): Changes => ({ 'spec.versions': list });

const column = (fields: object): Changes => ({
  'version.additionalPrinterColumns': [
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'A', type: 'string', jsonPath: '.spec.name', ...fields },
  ],
});
const scale = (fields: object): Changes => ({
  'version.subresources': {
    scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', ...fields },
  },
});
const selectable = (...paths: unknown[]): Changes => ({
  'version.selectableFields': paths.map((jsonPath) => ({ jsonPath })),
});
const warning = (deprecationWarning: unknown): Changes => ({
  'version.deprecated': true,
  'version.deprecationWarning': deprecationWarning,
});
const fields = (count: number): Changes => {
  const names = Array.from({ length: count }, (_, i) => `f${i}`);
  return {
    'version.schema': schema(...names),
    ...selectable(...names.map((name) => `.spec.${name}`)),
  };
};

/** Versions, columns, selectable fields and subresources. */
export const versionCases: readonly DefinitionCase[] = [
  bad('storage-version', 'no versions', { 'spec.versions': undefined }),
  bad('storage-version', 'a list of no versions', versions()),
  bad('storage-version', 'no version is stored', { 'version.storage': false }),
  bad('storage-version', 'two versions are stored', versions(v1, { ...v2, storage: true })),
  good('two versions', versions(v1, v2)),
  good('two versions with schemas of their own', versions(v1, { ...v2, schema: schema('b') })),
  bad('version-unique', 'two versions of one name', versions(v1, { ...v2, name: 'v1' })),
  bad('version-name', 'a version without a name', { 'version.name': undefined }),
  bad('version-name', 'a version with a dot', { 'version.name': 'v1.2' }),
  bad('version-name', 'a version that is a number', { 'version.name': '1' }),
  good('a version of 63 characters', { 'version.name': 'v'.repeat(63) }),
  bad(
    'type-missing',
    'a second version whose schema is not structural',
    versions(v1, {
      ...v2,
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } },
    }),
  ),
  bad(
    'scale-path',
    'a second version without the replicas of scale',
    versions(v1, { ...v2, subresources: { scale: { statusReplicasPath: '.status.n' } } }),
  ),
  bad(
    'column-path',
    'a second version with a column without a path',
    versions(v1, { ...v2, additionalPrinterColumns: [{ name: 'A', type: 'string' }] }),
  ),
  bad(
    'selectable-field',
    'a second version with a selectable field that is not there',
    versions(
      { ...v1, selectableFields: [{ jsonPath: '.spec.a' }] },
      {
        ...v2,
        schema: schema('b'),
        selectableFields: [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.b' }],
      },
    ),
  ),
  good('no version is served', { 'version.served': false }),
  good('a version that does not say whether it is served', { 'version.served': undefined }),
  good('a version that says null of whether it is served', { 'version.served': null }),
  good('a version that does not say whether it is stored, beside one that is', {
    'spec.versions': [v1, { name: 'v2', served: true, schema: schema('a') }],
  }),
  bad('storage-version', 'no version says that it is stored', { 'version.storage': undefined }),
  bad('schema-missing', 'a version without a schema', { 'version.schema': undefined }),
  bad('schema-missing', 'a version with an empty schema', { 'version.schema': {} }),
  bad('schema-missing', 'a second version without a schema', versions(v1, { ...v2, schema: {} })),
  bad('schema-missing', 'a version that is null', versions(v1, null as never)),
  good('a deprecated version', { 'version.deprecated': true }),
  good('a deprecated version with a warning', warning('use v2 ✓')),
  bad('deprecation-warning', 'a warning without deprecation', {
    'version.deprecationWarning': 'use v2',
  }),
  bad('deprecation-warning', 'an empty warning', warning('')),
  bad('deprecation-warning', 'a warning of two lines', warning('use\nv2')),
  bad('deprecation-warning', 'a warning with a wide space', warning('use\u00a0v2')),
  bad('deprecation-warning', 'a warning of 257 bytes', warning('é'.repeat(129))),
  good('a warning of 256 bytes', warning('é'.repeat(128))),
  good('half a character, which the server replaces', warning('\ud800')),

  good('a column with everything', column({ format: 'byte', description: 'A.', priority: 1 })),
  bad('column-name', 'a column without a name', column({ name: '' })),
  bad('column-type', 'a column without a type', column({ type: undefined })),
  bad('column-type', 'a column of objects', column({ type: 'object' })),
  bad('column-format', 'a column with an unknown format', column({ format: 'uuid' })),
  bad('column-path', 'a column without a path', column({ jsonPath: undefined })),
  bad('column-path', 'a column whose path starts with no dot', column({ jsonPath: 'spec.name' })),
  bad('column-path', 'a column whose path is in braces', column({ jsonPath: '{.spec.name}' })),
  good('a column whose path is a dot', column({ jsonPath: '.' })),
  good('a column whose path leads nowhere', column({ jsonPath: '.no[?(@.such==' })),
  bad('field-type', 'a column with a priority beyond 32 bits', column({ priority: 2 ** 31 })),

  ...['boolean', 'date', 'integer', 'number', 'string'].map((type) =>
    good(`a column of type ${type}`, column({ type })),
  ),
  ...['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'].map((format) =>
    good(`a column of format ${format}`, column({ format })),
  ),
  good('a selector in status', scale({ labelSelectorPath: '.status.selector' })),
  bad('scale-path', 'replicas of status in spec', scale({ statusReplicasPath: '.spec.n' })),
  good('status and scale', scale({ labelSelectorPath: '.spec.selector' })),
  good('a status subresource', { 'version.subresources': { status: {} } }),
  good('subresources that are empty', { 'version.subresources': {} }),
  bad('scale-path', 'a scale without replicas', scale({ specReplicasPath: undefined })),
  bad('scale-path', 'replicas in status', scale({ specReplicasPath: '.status.n' })),
  bad('scale-path', 'all of spec for replicas', scale({ specReplicasPath: '.spec' })),
  bad('scale-path', 'replicas without a dot', scale({ statusReplicasPath: 'status.n' })),
  bad('scale-path', 'no replicas in status', scale({ statusReplicasPath: '' })),
  bad('scale-path', 'a selector in metadata', scale({ labelSelectorPath: '.metadata.labels' })),
  good('an empty selector', scale({ labelSelectorPath: '' })),
  bad('unknown-field', 'an unknown field in status', {
    'version.subresources': { status: { a: 1 } },
  }),

  good('selectable fields', selectable('.spec.name', '.spec.f')),
  bad('selectable-field', 'a selectable field without a path', selectable(undefined)),
  bad('selectable-field', 'a selectable field that is not there', selectable('.spec.none')),
  bad('selectable-field', 'a selectable field in brackets', selectable(".spec['name']")),
  bad('selectable-field', 'a selectable field without a dot', selectable('spec.name')),
  bad('selectable-field', 'a selectable field that ends with a dot', selectable('.spec.')),
  bad('selectable-field', 'a selectable object', selectable('.spec')),
  bad('selectable-field', 'a field that is selectable twice', selectable('.spec.f', '.spec.f')),
  good('a selectable boolean', { field: { type: 'boolean' }, ...selectable('.spec.f') }),
  good('a selectable whole number', { field: { type: 'integer' }, ...selectable('.spec.f') }),
  bad('selectable-field', 'a selectable number', {
    field: { type: 'number' },
    ...selectable('.spec.f'),
  }),
  bad('selectable-field', 'a selectable field in metadata', {
    'schema.properties.metadata': { type: 'object', properties: { name: { type: 'string' } } },
    ...selectable('.metadata.name'),
  }),
  good('a selectable entry of a mapping', {
    field: { type: 'object', additionalProperties: { type: 'string' } },
    ...selectable('.spec.f.any'),
  }),
  bad('selectable-field', 'a selectable entry of a mapping of anything', {
    field: { type: 'object', additionalProperties: true },
    ...selectable('.spec.f.any'),
  }),
  bad('selectable-fields-count', 'nine selectable fields', fields(9)),
  good('eight selectable fields', fields(8)),
  bad(
    'selectable-fields-shared',
    'the same selectable fields of different schemas',
    versions(
      { ...v1, selectableFields: [{ jsonPath: '.spec.a' }] },
      { ...v2, schema: schema('a', 'b'), selectableFields: [{ jsonPath: '.spec.a' }] },
    ),
  ),
  bad(
    'selectable-fields-shared',
    'different selectable fields of the same schema',
    versions({ ...v1, selectableFields: [{ jsonPath: '.spec.a' }] }, v2),
  ),
  good(
    'different selectable fields of different schemas',
    versions(
      { ...v1, selectableFields: [{ jsonPath: '.spec.a' }] },
      { ...v2, schema: schema('b'), selectableFields: [{ jsonPath: '.spec.b' }] },
    ),
  ),
];
