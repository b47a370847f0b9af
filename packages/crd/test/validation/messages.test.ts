import { expect, test } from '@jest/globals';
import { formatPath } from '@tenantry/kube/problem';
import { validateDefinition } from '../../validation/validate.ts';
import { definitionOf, type Changes } from '@tenantry/test-tools/verdicts/crds/definitions/case';

const schemaPath = 'spec.versions[0].schema.openAPIV3Schema';

/** Returns the errors of a definition, with `schema` for the long path to it. */
function collectErrors(changes: Changes): string[] {
  const { errors } = validateDefinition(definitionOf(changes));
  return errors.map(({ path, message }) =>
    `${formatPath(path)} ${message}`.replaceAll(schemaPath, 'schema').replace(/^ /, ''),
  );
}

const text = { type: 'string' };

test.each<[string, Changes, string[]]>([
  ['a sound definition', {}, []],
  [
    'a name that is not plural and group',
    { 'metadata.name': 'thing.example.com' },
    [
      "metadata.name must be the plural and the group with a dot between, 'things.example.com', got 'thing.example.com'",
    ],
  ],
  [
    'a group without a dot',
    { 'spec.group': 'example', 'metadata.name': 'things.example' },
    ["spec.group must be a DNS subdomain with a dot, such as 'example.com', got 'example'"],
  ],
  [
    'a group of Kubernetes itself',
    { 'spec.group': 'a.k8s.io', 'metadata.name': 'things.a.k8s.io' },
    [
      `metadata.annotations["api-approved.kubernetes.io"] must be the URL of the approval, or a reason that starts with 'unapproved', since 'a.k8s.io' is a group of Kubernetes itself, got nothing`,
    ],
  ],
  [
    'a wrong scope',
    { 'spec.scope': 'Namespace' },
    ["spec.scope must be Cluster or Namespaced, got 'Namespace'"],
  ],
  [
    'a kind in lower case with a dash at the end, reported once although names derive from it',
    { 'spec.names.kind': 'thing-' },
    [
      "spec.names.kind must be, in lower case, a DNS label: lower-case letters, digits and '-', starting with a letter, at most 63 characters, got 'thing-'",
    ],
  ],
  [
    'no storage version',
    { 'version.storage': false },
    ["spec.versions must have exactly one version with 'storage: true', got 0"],
  ],
  [
    'a warning of a version that is not deprecated',
    { 'version.deprecationWarning': 'use v2' },
    [
      "spec.versions[0].deprecationWarning must be absent unless the version is deprecated, got 'use v2'",
    ],
  ],
  [
    'a misspelt field',
    { field: { ...text, minLenght: 1 } },
    [
      "schema.properties.spec.properties.f.minLenght must be a known field, got 'minLenght'; did you mean 'minLength'?",
    ],
  ],
  [
    'a wrong type keeps everything else from being looked at',
    { 'spec.scope': 5, 'spec.group': '' },
    ['spec.scope must be a string, got 5'],
  ],
  [
    'a field without a type',
    { field: {} },
    ['schema.properties.spec.properties.f.type must be given for every field, got nothing'],
  ],
  [
    'a list without items',
    { field: { type: 'array' } },
    [
      'schema.properties.spec.properties.f.items must be a schema, since the type is array, got nothing',
    ],
  ],
  [
    'a type under anyOf',
    { field: { ...text, anyOf: [{ type: 'string' }] } },
    [
      "schema.properties.spec.properties.f.anyOf[0].type must be outside of allOf, anyOf, oneOf and not, got 'string'",
    ],
  ],
  [
    'a field that only a clause of the root knows',
    { 'schema.not': { properties: { a: { minLength: 1 } } } },
    ['schema.properties.a must be given, since schema.not.properties.a names it, got nothing'],
  ],
  [
    'a reference',
    { field: { $ref: '#/definitions/a', ...text } },
    [
      "schema.properties.spec.properties.f.$ref must be absent, got '#/definitions/a'; write the schema there instead",
    ],
  ],
  [
    'unique items',
    { field: { type: 'array', items: text, uniqueItems: true } },
    [
      "schema.properties.spec.properties.f.uniqueItems must be absent, got true; 'x-kubernetes-list-type: set' has the same effect",
    ],
  ],
  [
    'metadata with labels',
    { 'schema.properties.metadata': { type: 'object', properties: { labels: text } } },
    ['schema.properties.metadata must restrict nothing but name and generateName, got labels'],
  ],
  [
    'a set of objects',
    { field: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' } },
    [
      'schema.properties.spec.properties.f.items.x-kubernetes-map-type must be atomic for the items of a set, got nothing',
    ],
  ],
  [
    'a default of another type',
    { field: { ...text, default: 1 } },
    ['schema.properties.spec.properties.f.default must be a string, got 1'],
  ],
  [
    'a column of an unknown type',
    { 'version.additionalPrinterColumns': [{ name: 'A', type: 'text', jsonPath: '.spec.f' }] },
    [
      "spec.versions[0].additionalPrinterColumns[0].type must be one of boolean, date, integer, number, string, got 'text'",
    ],
  ],
  [
    'a selectable field that is not there',
    { 'version.selectableFields': [{ jsonPath: '.spec.g' }] },
    [
      "spec.versions[0].selectableFields[0].jsonPath must refer to a field of the schema, got '.spec.g'",
    ],
  ],
  [
    'a scale without status',
    { 'version.subresources': { scale: { specReplicasPath: '.spec.f' } } },
    [
      "spec.versions[0].subresources.scale.statusReplicasPath must be a JSON path that starts with '.status.', got nothing",
    ],
  ],
  [
    'a webhook without a client',
    { 'spec.conversion': { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } } },
    ['spec.conversion.webhook.clientConfig must have a url or a service, got neither'],
  ],
  [
    'a rule of two lines without a message',
    { field: { ...text, 'x-kubernetes-validations': [{ rule: 'true ||\nfalse' }] } },
    [
      'schema.properties.spec.properties.f.x-kubernetes-validations[0].message must be given, since the rule has more than one line, got nothing',
    ],
  ],
  [
    'oldSelf where values cannot be found again',
    {
      field: {
        type: 'array',
        maxItems: 9,
        items: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
      },
    },
    [
      "schema.properties.spec.properties.f.items.x-kubernetes-validations[0].rule must not use oldSelf below schema.properties.spec.properties.f, where values cannot be found again, got 'self == oldSelf'",
    ],
  ],
  [
    'all errors are reported at once',
    { 'spec.scope': '', 'version.name': 'V1', field: { ...text, pattern: '[' } },
    [
      'spec.scope must be Cluster or Namespaced, got nothing',
      "spec.versions[0].name must be a DNS label: lower-case letters, digits and '-', starting with a letter, at most 63 characters, got 'V1'",
      "schema.properties.spec.properties.f.pattern must be a regular expression of Go (RE2), got '[' (missing closing ]: `[`)",
    ],
  ],
])('%s', (_, changes, expected) => {
  expect(collectErrors(changes)).toEqual(expected);
});

test('an error that all versions share is reported once', () => {
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } },
  });
  expect(collectErrors({ 'spec.versions': [version('v1', true), version('v2', false)] })).toEqual([
    'schema.properties.a.type must be given for every field, got nothing',
  ]);
});

test('a field that the API server drops silently is a warning', () => {
  const changes = { field: { type: 'array', items: { ...text, minLenght: 1 } } };
  const { errors, warnings } = validateDefinition(definitionOf(changes));
  expect(errors).toEqual([]);
  expect(warnings).toMatchObject([{ rule: 'ignored-field' }]);
});

test('a format that nobody checks is a warning', () => {
  const { warnings } = validateDefinition(definitionOf({ field: { ...text, format: 'colour' } }));
  expect(warnings).toMatchObject([
    {
      rule: 'format',
      message: "must be a format that the API server checks in strings, got 'colour'",
    },
  ]);
});

const between = { minimum: 0, maximum: 1, exclusiveMinimum: true, exclusiveMaximum: true };

test.each<[string, Changes, string[]]>([
  [
    'a bound beyond the format',
    { field: { type: 'integer', format: 'int32', maximum: 4294967295 } },
    ['f.maximum must be within int32, or no value is valid, got 4294967295'],
  ],
  [
    'bounds that exclude each other',
    { field: { type: 'integer', minimum: 5, maximum: 5, exclusiveMaximum: true } },
    ['f.minimum must leave something that is less than 5, or no value is valid, got at least 5'],
  ],
  [
    'an enum of another type',
    { field: { type: 'integer', enum: ['a', 'b'] } },
    [
      `f.enum must hold a value that the rest of the schema takes, or no value is valid, got "a", "b"`,
    ],
  ],
  [
    'lengths of items',
    { field: { type: 'array', items: { ...text, minLength: 3, maxLength: 2 } } },
    ['f.items.minLength must be at most maxLength 2, or no value is valid, got 3'],
  ],
  [
    'a mandatory field that is not declared',
    { field: { type: 'object', properties: { a: text }, required: ['a', 'b'] } },
    [
      "f.required[1] must be declared in properties, for it is pruned and missing otherwise, got 'b'",
    ],
  ],
  [
    'a mandatory field that is kept though it is not declared',
    {
      field: {
        type: 'object',
        required: ['b'],
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { a: { type: 'object', required: ['c'] } },
      },
    },
    [],
  ],
  [
    'an embedded object with a kind',
    {
      field: {
        type: 'object',
        required: ['kind'],
        'x-kubernetes-embedded-resource': true,
        properties: { spec: text },
      },
    },
    [],
  ],
  ['numbers between two whole ones', { field: { ...between, type: 'number' } }, []],
  [
    'whole numbers between two',
    { field: { ...between, type: 'integer' } },
    ['f.minimum must leave something that is less than 1, or no value is valid, got more than 0'],
  ],
  [
    'an object that is none of Kubernetes, with a kind',
    { field: { type: 'object', required: ['kind'], properties: { a: text } } },
    [
      "f.required[0] must be declared in properties, for it is pruned and missing otherwise, got 'kind'",
    ],
  ],
  ['a sound schema', { field: { type: 'integer', minimum: 5, maximum: 5, enum: [5] } }, []],
  [
    'a mandatory status beside its subresource',
    {
      'schema.required': ['status'],
      'schema.properties.status': { type: 'object' },
      'version.subresources': { status: {} },
    },
    [
      'schema.required must not name status, which no new object has where it is a subresource, or none can be created, got status',
    ],
  ],
])(
  'a schema that the API server accepts and no value satisfies is a warning: %s',
  (_, changes, expected) => {
    const { errors, warnings } = validateDefinition(definitionOf(changes));
    expect(errors).toEqual([]);
    const messages = warnings.map(({ path, message }) => `${formatPath(path)} ${message}`);
    const field = `${schemaPath}.properties.spec.properties.`;
    expect(messages.map((one) => one.replace(field, '').replace(schemaPath, 'schema'))).toEqual(
      expected,
    );
  },
);

test('a definition too large for kubectl apply is a warning, and one too large for etcd not checked', () => {
  const ofSize = (length: number) =>
    validateDefinition(definitionOf({ 'field.description': 'a'.repeat(length) }));
  expect(ofSize(300_000)).toMatchObject({
    errors: [],
    notChecked: [],
    warnings: [{ rule: 'client-side-apply' }],
  });
  expect(ofSize(1_600_000)).toMatchObject({ errors: [], notChecked: [{ rule: 'size' }] });
  expect(ofSize(3_200_000).errors).toMatchObject([{ rule: 'size' }]);
});
