import { expect, test } from '@jest/globals';
import { formatPath } from '@tenantry/kube/problem';
import { validateDefinitionUpdate, type UpdateOptions } from '../../validation/update.ts';
import { definitionOf, type Changes } from '@tenantry/test-tools/verdicts/crds/definitions/case';

function collectErrors(before: Changes, after: Changes, options?: UpdateOptions): string[] {
  const { errors } = validateDefinitionUpdate(definitionOf(before), definitionOf(after), options);
  return errors.map(({ path, message }) => `${formatPath(path)} ${message}`);
}

const version = (name: string, storage: boolean, more: object = {}) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});

test('group, plural and scope are immutable', () => {
  const other = { 'spec.group': 'example.org', 'spec.names.plural': 'others' };
  expect(
    collectErrors({}, { ...other, 'spec.scope': 'Cluster', 'metadata.name': 'others.example.org' }),
  ).toEqual([
    "metadata.name must stay 'things.example.com', got 'others.example.org'",
    "spec.group must stay 'example.com', got 'example.org'",
    "spec.names.plural must stay 'things', got 'others'",
    "spec.scope must stay 'Namespaced', got 'Cluster'",
  ]);
});

test('the kind may change while it is not served', () => {
  const change = { 'spec.names.kind': 'Other' };
  expect(collectErrors({}, change)).toEqual(["spec.names.kind must stay 'Thing', got 'Other'"]);
  expect(collectErrors({}, change, { established: false })).toEqual([]);
});

test('a version with stored objects must not be removed', () => {
  const two = { 'spec.versions': [version('v1', false), version('v2', true)] };
  const one = { 'spec.versions': [version('v2', true)] };
  expect(collectErrors(two, one)).toEqual([]);
  const message =
    "spec.versions must hold the version 'v1' as long as status.storedVersions names it, got v2";
  const both = { ...two, status: { storedVersions: ['v1', 'v2'] } };
  expect(collectErrors(both, one)).toEqual([message]);
  expect(collectErrors(two, one, { storedVersions: ['v1'] })).toEqual([message]);
  expect(collectErrors(both, one, { storedVersions: ['v2'] })).toEqual([]);
});

test('nine selectable fields may stay if they existed before the limit', () => {
  const names = Array.from({ length: 9 }, (_, i) => `f${i}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const crowded: Changes = {
    'version.schema': { openAPIV3Schema: { type: 'object', properties } },
    'version.selectableFields': names.map((name) => ({ jsonPath: `.${name}` })),
  };
  expect(collectErrors(crowded, crowded)).toEqual([]);
  expect(collectErrors({}, crowded)).toEqual([
    'spec.versions[0].selectableFields must have at most 8 entries, got 9',
  ]);
});

test('an existing set of objects may stay, but other errors are still reported', () => {
  const items = { type: 'object', properties: { a: { type: 'string' } } };
  const set: Changes = { field: { type: 'array', items, 'x-kubernetes-list-type': 'set' } };
  expect(collectErrors(set, set)).toEqual([]);
  expect(collectErrors({}, set)).toHaveLength(1);
  expect(collectErrors(set, { ...set, 'spec.names.shortNames': ['A'] })).toHaveLength(1);
});

const text = { type: 'string' };
const keyed = (items: object) => ({
  type: 'array',
  items: { type: 'object', ...items },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['a'],
});
const webhook = (clientConfig: object, conversionReviewVersions: string[]) => ({
  'spec.conversion': { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } },
});

test.each<[string, Changes]>([
  [
    'a version that is not served and has no schema',
    {
      'spec.versions': [
        version('v1', true),
        { ...version('v2', false), served: false, schema: undefined },
      ],
    },
  ],
  ['unknown fields that are preserved everywhere', { 'spec.preserveUnknownFields': true }],
  ['an unknown type', { field: { type: 'text' } }],
  [
    'an unknown field in a default',
    { field: { type: 'object', properties: { a: text }, default: { b: 1 } } },
  ],
  ['a key of a list that may be missing', { field: keyed({ properties: { a: text } }) }],
  ['only review versions of the future', webhook({ url: 'https://a/b' }, ['v2'])],
  ['an invalid certificate', webhook({ url: 'https://a/b', caBundle: 'aGVsbG8=' }, ['v1'])],
])('%s may stay, and cannot be added', (_, changes) => {
  expect(collectErrors(changes, changes)).toEqual([]);
  expect(collectErrors({}, changes)).not.toEqual([]);
});

test('an invalid certificate may be added while the kind is not served', () => {
  const changes = webhook({ url: 'https://a/b', caBundle: 'aGVsbG8=' }, ['v1']);
  expect(collectErrors({}, changes, { established: false })).toEqual([]);
});

test('a missing approval may stay missing', () => {
  const group: Changes = { 'spec.group': 'a.k8s.io', 'metadata.name': 'things.a.k8s.io' };
  expect(collectErrors(group, group)).toEqual([]);
  const bad = { ...group, 'metadata.annotations': { 'api-approved.kubernetes.io': 'yes' } };
  expect(collectErrors(group, bad)).toHaveLength(1);
});

test('a manifest that is not a definition is reported', () => {
  const { errors } = validateDefinitionUpdate({ kind: 'ConfigMap' }, definitionOf({}));
  expect(errors).toMatchObject([{ rule: 'not-a-definition' }]);
});
