import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderTenant, renderTenantClass } from '../../model/declared-objects.ts';
import { removeLeftovers } from '../../model/resource-presets/manifest.ts';
import { Fleet } from '../../model/fleet.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { formatFinding } from '@tenantry/kube/finding';
import { ofKind, refusals, collectFindings, type Given } from './given.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const map = (metadata: object = {}, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', ...metadata },
  ...more,
});
const given = (manifest: KubeObject): Given => ({ tenant: { resources: [{ manifest }] } });
const at = 'warning spec.resources[0].manifest';

/** Renders the content of a manifest, without what Tenantry adds to each object. */
function rendered(manifest: KubeObject): unknown {
  const [one] = ofKind(given(manifest), manifest.kind);
  const { namespace: _in, labels, annotations, ...metadata } = one!.metadata;
  const { 'argocd.argoproj.io/sync-options': staying, ...written } = annotations!;
  expect(staying).toBe('Delete=false');
  const own = Object.entries(labels ?? {}).filter(
    ([key]) => key !== 'app.kubernetes.io/managed-by' && key !== 'tenantry.dev/tenant',
  );
  const annotated = Object.keys(written).length > 0 && { annotations: written };
  return { ...one, metadata: { ...metadata, ...annotated, labels: Object.fromEntries(own) } };
}

test('fields that generators write for the API server are dropped with a warning', () => {
  const manifest = map({ creationTimestamp: null }, { status: {}, data: { a: 'b' } });
  expect(collectFindings(given(manifest))).toEqual([
    `${at}.metadata.creationTimestamp must be left out, and is dropped: only the API server sets it`,
    `${at}.status must be left out, and is dropped: it is empty, and only the cluster sets it`,
  ]);
  expect(rendered(manifest)).toEqual(map({ labels: {} }, { data: { a: 'b' } }));
  expect(collectFindings(given(map({}, { status: null })))).toHaveLength(1);
});

test('a status with content stays, and a creation time is refused', () => {
  const service = { ...map({}, { status: { conditions: [] } }), kind: 'Service' };
  expect(collectFindings(given(service))).toEqual([]);
  expect(rendered(service)).toMatchObject({ status: { conditions: [] } });
  expect(collectFindings(given(map({ creationTimestamp: '2026-01-01T00:00:00Z' })))).toEqual([
    'spec.resources[0].manifest.metadata.creationTimestamp must be left out: only name, namespace, labels, annotations may be declared',
  ]);
});

test('metadata of Helm releases and of kubectl is dropped', () => {
  const manifest = map({
    labels: {
      'app.kubernetes.io/managed-by': 'Helm',
      'app.kubernetes.io/instance': 'shop',
      'app.kubernetes.io/name': 'shop',
      'helm.sh/chart': 'shop-1.2.3',
    },
    annotations: {
      'meta.helm.sh/release-name': 'shop',
      'meta.helm.sh/release-namespace': 'shop',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    },
  });
  expect(collectFindings(given(manifest))).toHaveLength(5);
  expect(collectFindings(given(manifest)).every((text) => text.startsWith(`${at}.metadata.`))).toBe(
    true,
  );
  expect(rendered(manifest)).toEqual(
    map({ labels: { 'app.kubernetes.io/name': 'shop', 'helm.sh/chart': 'shop-1.2.3' } }),
  );
});

test('labels with which other tools own an object, and commands to these tools, are still refused', () => {
  for (const metadata of [
    { labels: { 'app.kubernetes.io/managed-by': 'helm' } },
    { labels: { 'app.kubernetes.io/managed-by': 'argocd' } },
    { annotations: { 'app.kubernetes.io/instance': 'shop' } },
    { annotations: { 'helm.sh/resource-policy': 'keep' } },
    { annotations: { 'argocd.argoproj.io/sync-wave': '1' } },
  ]) {
    expect(collectFindings(given(map(metadata)))).toEqual([
      expect.stringMatching(/^spec\.resources\[0\]\.manifest\.metadata\.\S+ must not be set: /),
    ]);
  }
  const others = { 'kubectl.kubernetes.io/restartedAt': 'x' };
  expect(collectFindings(given(map({ annotations: others })))).toHaveLength(1);
});

test('nulls elsewhere in a manifest are dropped, as they have no meaning', () => {
  const manifest = map(
    { labels: null, annotations: null },
    { spec: { ports: [{ port: 80, name: null }], clusterIP: null } },
  );
  const service = { ...manifest, kind: 'Service' };
  expect(collectFindings(given(service))).toEqual([]);
  expect(rendered(service)).toMatchObject({ spec: { ports: [{ port: 80 }] } });
  expect(JSON.stringify(rendered(service))).not.toContain('null');
});

test('a file with all of these leftovers is accepted', () => {
  const text = `apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata: {name: shop}
spec:
  resources:
  - manifest:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: x, creationTimestamp: null, labels: null}
      status: {}
      data: null
`;
  expect(refusals({ 'a.yaml': text })).toEqual([
    expect.stringMatching(/^a\.yaml:9:\d+ .*creationTimestamp must be left out, and is dropped/),
    expect.stringMatching(/^a\.yaml:10:\d+ .*status must be left out, and is dropped/),
  ]);
});

test('nothing else is changed, and dropping leftovers twice changes nothing more', () => {
  const keys = fc.constantFrom(
    'app.kubernetes.io/managed-by',
    'app.kubernetes.io/instance',
    'meta.helm.sh/release-name',
    'kubectl.kubernetes.io/last-applied-configuration',
    'a',
  );
  const entries = fc.dictionary(keys, fc.constantFrom('Helm', 'x'));
  const manifests = fc.record(
    {
      status: fc.constantFrom(null, {}, { a: 1 }, 'x'),
      metadata: fc.oneof(
        fc.record(
          { creationTimestamp: fc.constantFrom(null, 'x'), labels: entries, annotations: entries },
          { requiredKeys: [] },
        ),
        fc.constant(null),
      ),
      data: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(manifests, (written) => {
      const { manifest, dropped } = removeLeftovers(written);
      expect(manifest === written).toBe(dropped.length === 0);
      expect(removeLeftovers(manifest)).toEqual({ manifest, dropped: [] });
      expect(manifest.data).toEqual(written.data);
      expect(dropped.every(({ severity }) => severity === 'warning')).toBe(true);
    }),
    runs(100),
  );
});

test('the Tenant is also rendered without what an API server drops from the metadata of its manifests', () => {
  const metadata = { creationTimestamp: null, labels: {}, annotations: null, finalizers: [] };
  const manifest = map({ ...metadata, namespace: 'acme-a' }, { data: { a: null }, empty: {} });
  const labelled = map({ labels: { a: '', b: 'c' } });
  const resources = [{ manifest }, { manifest: labelled }];
  const tenant = { resources, namespaces: [{ name: 'a', resources: [{ manifest }] }] };
  const stored = { ...manifest, metadata: { name: 'x', namespace: 'acme-a' } };
  expect(renderTenant({ name: 'acme', spec: tenant })['spec']).toEqual({
    resources: [{ manifest: stored }, { manifest: labelled }],
    namespaces: [{ name: 'a', resources: [{ manifest: stored }] }],
  });
  expect(manifest.metadata).toHaveProperty('creationTimestamp');
});

test('an empty TenantClass is rendered without a spec', () => {
  expect(renderTenantClass({ name: 'standard', spec: {} })).toEqual({
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'TenantClass',
    metadata: { name: 'standard' },
  });
  const spec = { allowedTenants: {} };
  expect(renderTenantClass({ name: 'standard', spec })).toHaveProperty('spec', spec);
});

test('an empty Tenant is rendered without a spec, which server-side apply would store as null', () => {
  for (const spec of [{}, { access: {} }, { quota: { hard: {} }, labels: {} }]) {
    expect(renderTenant({ name: 'acme', spec })).toEqual({
      apiVersion: 'tenantry.dev/v1alpha1',
      kind: 'Tenant',
      metadata: { name: 'acme' },
    });
  }
});

test('invalid metadata, which no API server accepts, stays in the Tenant', () => {
  const spec = { resources: [{ manifest: map({ labels: 'x', annotations: {} }) }] };
  expect(renderTenant({ name: 'acme', spec })['spec']).toBe(spec);
});

test('text of a manifest that looks like a placeholder stays, with a warning', () => {
  const manifest = map(
    { annotations: { note: 'of {tenant}' } },
    { data: { a: '{namespace}', b: '{{namespace}} ${tenant} {other} {"a":1}', '{cluster}': 'c' } },
  );
  expect(collectFindings(given(manifest))).toEqual([
    `${at}.metadata.annotations.note must be in a preset of the class to be filled in, got {tenant}, which stays as it is`,
    `${at}.data.a must be in a preset of the class to be filled in, got {namespace}, which stays as it is`,
    `${at}.data["{cluster}"] must be in a preset of the class to be filled in, got {cluster}, which stays as it is`,
  ]);
  expect(rendered(manifest)).toMatchObject({
    metadata: { annotations: { note: 'of {tenant}' } },
    data: manifest['data'],
  });
});

test('leftovers of a class are reported at the class, and not at its tenants', () => {
  const manifest = map({ creationTimestamp: null });
  const preset = { name: 'x', manifests: [map({ labels: { 'app.kubernetes.io/instance': 'x' } })] };
  const spec = { defaults: { resources: [{ manifest }] }, presets: { resources: [preset] } };
  const findings = new Fleet().classes.add({ name: 'standard', spec });
  expect(findings.map(formatFinding)).toEqual([
    'spec.presets.resources[0].manifests[0].metadata.labels["app.kubernetes.io/instance"] must be left out, and is dropped: it named a release, and Argo CD takes it for the name of an application',
    'spec.defaults.resources[0].manifest.metadata.creationTimestamp must be left out, and is dropped: only the API server sets it',
  ]);
  expect(findings.every(({ severity }) => severity === 'warning')).toBe(true);
  expect(collectFindings({ klass: spec, tenant: {} })).toEqual([]);
  const used: Given = {
    klass: { presets: spec.presets },
    tenant: { resources: [{ preset: 'x' }] },
  };
  expect(collectFindings(used)).toEqual([]);
  expect(ofKind(used, 'ConfigMap')[0]!.metadata.labels).toEqual({
    'app.kubernetes.io/managed-by': 'tenantry',
    'tenantry.dev/tenant': 'acme',
  });
});
