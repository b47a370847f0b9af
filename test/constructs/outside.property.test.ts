import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createMetadataFactory } from '../../model/objects/metadata.ts';
import { builtinScope } from '@tenantry/kube/builtin-kinds';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { PlatformSpec } from '../../crds/platform.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { anyClass, anyTenant } from './declared.ts';
import { desiredOf } from './given.ts';

const kinds: PlatformSpec['kinds'] = [
  { group: 'example.com', kind: 'Widget', scope: 'Namespaced' },
  { group: 'example.com', kind: 'ClusterWidget', scope: 'Cluster' },
];

function expectInside(objects: readonly KubeObject[], namespace: string): void {
  expect(objects[0]).toMatchObject({ kind: 'Namespace', metadata: { name: namespace } });
  for (const { apiVersion, kind, metadata } of objects.slice(1)) {
    const scope = builtinScope(groupOf(apiVersion), kind) ?? kind;
    expect(['Namespaced', 'Widget']).toContain(scope);
    expect(metadata.namespace).toBe(namespace);
    expect(metadata.labels).toMatchObject({ 'tenantry.dev/tenant': 'acme' });
  }
}

const word = fc.constantFrom(
  'v1',
  'apps/v1',
  'rbac.authorization.k8s.io/v1',
  'example.com/v1',
  '',
  '/v1',
  'v1/v1',
);
const kind = fc.constantFrom(
  'ConfigMap',
  'Namespace',
  'ClusterRole',
  'Deployment',
  'Widget',
  'ClusterWidget',
  'List',
  'Node',
);
const meta = fc.record(
  {
    name: fc.oneof(fc.constant('x'), fc.string()),
    namespace: fc.constantFrom('acme', 'kube-system', '', null),
    labels: fc.anything(),
    annotations: fc.anything(),
  },
  { requiredKeys: [] },
);

test('no object in resources is rendered outside the namespaces of the tenant', () => {
  let rendered = 0;
  const manifest = fc.record({ apiVersion: word, kind, metadata: meta, items: fc.constant([{}]) });
  fc.assert(
    fc.property(fc.array(manifest, { maxLength: 3 }), (list) => {
      const resources = list.map((one) => ({ manifest: one as never }));
      for (const { name, objects } of desiredOf({ platform: { kinds }, tenant: { resources } })
        .namespaces) {
        rendered += objects.length;
        expectInside(objects, name);
      }
    }),
    runs(300),
  );
  expect(rendered).toBeGreaterThan(0);
});

test('nothing else in a tenant or its class is rendered outside either', () => {
  fc.assert(
    fc.property(anyTenant, anyClass, (tenant, klass) => {
      const { namespaces } = desiredOf({ tenant, klass });
      expect(namespaces.length).toBeGreaterThan(0);
      for (const { name, objects } of namespaces) expectInside(objects, name);
    }),
    runs(100),
  );
});

test("the owner's labels override labels with the same keys, wherever those come from", () => {
  const labels = { 'tenantry.dev/tenant': 'other', 'app.kubernetes.io/managed-by': 'me', a: 'b' };
  expect(createMetadataFactory('acme', 'shop', {})('x', { labels }).labels).toEqual({
    'tenantry.dev/tenant': 'acme',
    'app.kubernetes.io/managed-by': 'tenantry',
    a: 'b',
  });
});
