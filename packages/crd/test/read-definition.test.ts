import { expect, test } from '@jest/globals';
import { listVersions, type Definition } from '../definition.ts';
import { readDefinition } from '../read-definition.ts';
import { formatFinding, type Finding } from '@tenantry/kube/finding';

type Fields = Readonly<Record<string, unknown>>;

const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object' } } };
const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };

const document = (spec: Fields = {}, more: Fields = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.example.com', creationTimestamp: null },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Box', plural: 'boxes' },
    versions: [version],
    ...spec,
  },
  status: { storedVersions: ['v1'] },
  ...more,
});

test('a definition is read with its versions and their schemas', () => {
  const definition = readDefinition(document()) as Definition;
  expect(definition).toMatchObject({ group: 'example.com', kind: 'Box', scope: 'Namespaced' });
  expect(listVersions(definition)).toMatchObject([
    { apiVersion: 'example.com/v1', served: true, schema: openAPIV3Schema },
  ]);
});

test.each<[string, Fields, Fields, RegExp]>([
  ['v1beta1', {}, { apiVersion: 'apiextensions.k8s.io/v1beta1' }, /^apiVersion must be 'apiexte/],
  ['no versions', { versions: undefined }, {}, /^spec\.versions must be a list, got nothing$/],
  ['a mistyped field', { versions: [{ ...version, served: 'yes' }] }, {}, /served must be /],
  [
    'a version without a schema',
    { versions: [version, { name: 'v2', served: true, storage: false }] },
    {},
    /^spec\.versions\[1\]\.schema\.openAPIV3Schema must be a schema, got nothing$/,
  ],
  [
    'a version that is there twice',
    { versions: [version, version] },
    {},
    /^spec\.versions\[1\]\.name must be a version of its own, got 'v1' again$/,
  ],
  [
    'fields that are not declared, and are kept',
    { preserveUnknownFields: true },
    {},
    /^spec\.preserveUnknownFields must be false, got true, which the API server refuses$/,
  ],
])('a definition with %s gives no schema, but the reason', (_what, spec, more, words) => {
  expect(formatFinding(readDefinition(document(spec, more)) as Finding)).toMatch(words);
});
