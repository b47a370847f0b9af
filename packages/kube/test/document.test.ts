import { expect, test } from '@jest/globals';
import { validateDocumentMetadata, validateDocument } from '../document.ts';
import { formatPath } from '../problem.ts';

type Fields = { readonly [field: string]: unknown };

const object = (fields: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings' },
  ...fields,
});

function describeRefusal(value: unknown): string | undefined {
  const refusal =
    validateDocument(value) ?? validateDocumentMetadata((value as { metadata: Fields }).metadata);
  return refusal && `${formatPath(refusal.path)} ${refusal.message}`.trim();
}

test.each<[string, unknown]>([
  ['a ConfigMap', object()],
  [
    'fields of any name',
    object({ Items: [], item: 1, data: { items: 'x', sops: 'y' }, status: {} }),
  ],
  ['a kind that ends in List and has no items', object({ kind: 'AllowList' })],
  [
    'a group, and a name of RBAC',
    object({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:odd' },
    }),
  ],
  ['a name besides a generated one', object({ metadata: { name: 'x', generateName: 'x-' } })],
  ['a field that is not there', object({ items: undefined })],
  [
    "Flux' own Kustomization",
    object({ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' }),
  ],
  [
    'labels, annotations and a namespace',
    object({
      metadata: { name: 'x', namespace: 'a', labels: { b: '' }, annotations: { 'c.io/d': 'e' } },
    }),
  ],
])('%s is one object', (_what, value) => {
  expect(describeRefusal(value)).toBeUndefined();
});

const without =
  'must be a Kubernetes object with apiVersion, kind and metadata.name, got one without';
const version =
  "apiVersion must be a version such as 'v1', or a group and a version such as 'apps/v1', got";

test.each<[string, unknown, string]>([
  ['items', object({ items: [] }), 'items must be left out: kubectl and Argo CD take '],
  ['items that are null', object({ items: null }), 'items must be left out: '],
  ['items that are none', object({ items: 'x' }), 'items must be left out: '],
  ['a List', { apiVersion: 'v1', kind: 'List', items: [] }, 'items must be left out: '],
  [
    'a List without items',
    object({ kind: 'List' }),
    'kind must be a kind that an API server has, got ',
  ],
  ['a list for functions', object({ kind: 'ResourceList' }), 'kind must be a kind that '],
  ['what is to be decrypted', object({ sops: { mac: 'x' } }), 'sops must be left out: Flux takes '],
  [
    'a kustomization',
    object({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' }),
    'apiVersion must be that of an object, not of a file for kustomize, got ',
  ],
  ['a list of objects', [object()], 'must be a Kubernetes object with '],
  ['no object', 'text', 'must be a Kubernetes object with '],
  ['no fields', {}, `${without} apiVersion and kind and metadata`],
  ['no apiVersion', object({ apiVersion: undefined }), `${without} apiVersion`],
  ['a number for an apiVersion', object({ apiVersion: 1 }), `${version} 1`],
  ['two groups', object({ apiVersion: 'a/b/v1' }), `${version} 'a/b/v1'`],
  ['a group alone', object({ apiVersion: 'example.com' }), `${version} 'example.com'`],
  ['an empty kind', object({ kind: '' }), "kind must be a kind that an API server has, got ''"],
  ['a kind with a letter that only looks Latin', object({ kind: 'Con\u212aind' }), 'kind must be '],
  ['no metadata', object({ metadata: null }), `${without} metadata`],
  [
    'metadata that is none',
    object({ metadata: [] }),
    'metadata must be a mapping, got an empty list',
  ],
  ['no name', object({ metadata: {} }), `${without} a name`],
  [
    'a name that is none',
    object({ metadata: { name: 1 } }),
    'metadata.name must be the name of an object, got 1',
  ],
  [
    'an empty name',
    object({ metadata: { name: '' } }),
    "metadata.name must be the name of an object, got ''",
  ],
  [
    'a name of two',
    object({ metadata: { name: 'a/b' } }),
    "metadata.name must be the name of an object, got 'a/b'",
  ],
  [
    'a generated name',
    object({ metadata: { generateName: 'x-' } }),
    "metadata must have a name, got the generateName 'x-', which names another object each time",
  ],
  [
    'a namespace that is none',
    object({ metadata: { name: 'x', namespace: 1 } }),
    'metadata.namespace must be the name of a namespace, or left out, got 1',
  ],
  [
    'labels that are none',
    object({ metadata: { name: 'x', labels: ['a'] } }),
    'metadata.labels must be a mapping, got a list',
  ],
  [
    'an annotation that is no text',
    object({ metadata: { name: 'x', annotations: { a: true } } }),
    'metadata.annotations.a must be a string, got true',
  ],
  [
    'an annotation for kustomize',
    object({
      metadata: { name: 'x', annotations: { 'config.kubernetes.io/local-config': 'true' } },
    }),
    'metadata.annotations["config.kubernetes.io/local-config"] must be left out: kustomize',
  ],
])('%s is refused, with its place', (_what, value, start) => {
  expect(describeRefusal(value)?.slice(0, start.length)).toBe(start);
});
