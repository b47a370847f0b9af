import { expect, test } from '@jest/globals';
import { parseManifests } from '../../install/objects/manifests.ts';
import { placeObjects } from '../../install/objects/placed-objects.ts';
import { staged } from '../../install/objects/stages.ts';
import type { KubeObject } from '@tenantry/kube/object';

const object = (apiVersion: string, kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
});

const crd = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'redises.example.com', {
  spec: {
    group: 'example.com',
    names: { kind: 'Redis', plural: 'redises' },
    scope: 'Namespaced',
    versions: [
      { name: 'v1', served: true },
      { name: 'v1beta1', served: false },
    ],
  },
});

const monitors = {
  group: 'monitoring.coreos.com',
  kind: 'ServiceMonitor',
  plural: 'servicemonitors',
  scope: 'Namespaced',
  versions: ['v1'],
} as const;

function place(...objects: readonly KubeObject[]) {
  const at = { file: 'all.yaml', column: 1 };
  const manifests = objects.map((one, index) => ({ object: one, line: index + 1, ...at }));
  return placeObjects(manifests, { known: [monitors], namespace: 'shops' });
}

test('a namespaced object without a namespace gets the default one, and a cluster-scoped object gets none', () => {
  const { objects, problems } = place(
    object('v1', 'ConfigMap', 'a'),
    { ...object('v1', 'Namespace', 'b'), metadata: { name: 'b', namespace: 'x' } },
    { ...object('v1', 'ConfigMap', 'c'), metadata: { name: 'c', namespace: 'bank' } },
  );
  expect(problems).toEqual([]);
  expect(objects.map(({ object }) => object.metadata.namespace)).toEqual([
    'shops',
    undefined,
    'bank',
  ]);
});

test('all objects without a known kind are reported at once, with their places', () => {
  const { problems } = place(
    crd,
    object('example.com/v1', 'Redis', 'a'),
    object('example.com/v1beta1', 'Redis', 'b'),
    object('example.com/v1', 'Rediss', 'c'),
    object('v1', 'Binding', 'd'),
    object('monitoring.coreos.com/v1', 'ServiceMonitor', 'e'),
    object('example.com/v1', 'Redis', 'a'),
    object('example.org/v1', 'Redis', 'f'),
  );
  expect(problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
    "3 must be served as one of v1, got Redis of 'example.com/v1beta1'",
    "4 must be a kind that the cluster or these manifests define, got Rediss of 'example.com/v1'",
    "5 must be a kind whose objects are kept, got 'Binding'",
    '7 must be of one object, got Redis shops/a of all.yaml:2',
    "8 must be a kind that the cluster or these manifests define, got Redis of 'example.org/v1'",
  ]);
});

test('a definition without the names of its kind is applied, and defines no kind', () => {
  const broken = [{}, { spec: 'x' }, { spec: { group: 'example.com', names: 'x', versions: [1] } }];
  for (const more of broken) {
    const { objects, problems } = place(
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'x', more),
      object('example.com/v1', 'Redis', 'a'),
    );
    expect(objects.map(({ kind }) => kind.kind)).toEqual(['CustomResourceDefinition']);
    expect(problems).toHaveLength(1);
  }
});

test('objects of a cluster-scoped kind have no namespace', () => {
  const { spec, ...rest } = crd as KubeObject & { readonly spec: object };
  const { objects } = place(
    { ...rest, spec: { ...spec, scope: 'Cluster' } },
    { ...object('example.com/v1', 'Redis', 'a'), metadata: { name: 'a', namespace: 'x' } },
  );
  expect(objects[1]?.object.metadata).toEqual({ name: 'a' });
});

test('namespaces come before their objects, rights before their users, custom objects last', () => {
  const { objects } = place(
    object('example.com/v1', 'Redis', 'sample'),
    object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'w'),
    object('apps/v1', 'Deployment', 'd'),
    object('monitoring.coreos.com/v1', 'ServiceMonitor', 'm'),
    object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'b'),
    object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r'),
    object('v1', 'ServiceAccount', 's'),
    object('networking.k8s.io/v1', 'NetworkPolicy', 'p'),
    crd,
    object('v1', 'Namespace', 'shops'),
  );
  const order = [...staged(objects).values()].flat().map(({ kind }) => kind.kind);
  expect(order).toEqual([
    'Namespace',
    'CustomResourceDefinition',
    'NetworkPolicy',
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'ServiceMonitor',
    'Deployment',
    'ValidatingWebhookConfiguration',
    'Redis',
  ]);
});

test('a List is replaced by its items, each with its place; a ClusterServiceVersion is left to OLM', () => {
  const list = object('v1', 'List', 'x', { items: [object('v1', 'Namespace', 'a'), crd] });
  const text = `${JSON.stringify(list)}\n---\n${JSON.stringify(crd)}\n`;
  expect(parseManifests('all.json', text, 'all').objects.map(({ line }) => line)).toEqual([
    1, 1, 3,
  ]);
  expect(parseManifests('all.json', text, 'definitions').objects).toHaveLength(2);
  const csv = object('operators.coreos.com/v1alpha1', 'ClusterServiceVersion', 'shops.v1.0.0');
  const { problems } = parseManifests(
    'csv.yaml',
    JSON.stringify([]) + '\n---\n' + JSON.stringify(csv),
    'all',
  );
  const broken = parseManifests('broken.yaml', 'a: [', 'all').problems;
  expect(broken).toEqual([expect.objectContaining({ file: 'broken.yaml', line: 1, rule: 'yaml' })]);
  expect(problems.map(({ file, line, path }) => [file, line, path])).toEqual([
    ['csv.yaml', 1, ''],
    ['csv.yaml', 3, 'kind'],
  ]);
  expect(problems.map(({ message }) => message)).toEqual([
    'must be a Kubernetes object with apiVersion, kind and metadata.name, got an empty list',
    'must be applied by OLM, got a ClusterServiceVersion: give its bundle to tenantry bundle run',
  ]);
});
