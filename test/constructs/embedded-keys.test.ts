import { expect, test } from '@jest/globals';
import type { KubeObject } from '@tenantry/kube/object';
import { desiredOf, type Given } from './given.ts';

const given = (manifest: object): Given => ({
  platform: {
    clusters: [{ name: 'eu1' }],
    kinds: [
      { group: 'monitoring.coreos.com', kind: 'Prometheus', scope: 'Namespaced' },
      { group: 'cert-manager.io', kind: 'Certificate', scope: 'Namespaced' },
    ],
  },
  tenant: { resources: [{ manifest: manifest as KubeObject }] },
});

const refusedAt = (manifest: object): string[] =>
  desiredOf(given(manifest)).findings.flatMap(({ rule, severity, path }) =>
    rule === 'reserved-key' && severity === 'error' ? [path.slice(4).join('.')] : [],
  );

const containers = [{ name: 'a', image: 'registry.example.com/a' }];
const statefulSet = (claim: object, pod: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: {
    serviceName: 'db',
    selector: { matchLabels: { app: 'db', 'app.kubernetes.io/instance': 'eu1.payments' } },
    template: {
      metadata: { labels: { app: 'db', 'app.kubernetes.io/instance': 'db' }, ...pod },
      spec: { containers },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data', ...claim },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
});

const TRACKING = 'argocd.argoproj.io/tracking-id';
const id = 'eu1.payments:/PersistentVolumeClaim:acme/data-db-0';

test('a key that Argo CD interprets is refused in every template of an object', () => {
  expect(refusedAt(statefulSet({ annotations: { [TRACKING]: id } }))).toEqual([
    `spec.volumeClaimTemplates.0.metadata.annotations.${TRACKING}`,
  ]);
  const key = 'argocd.argoproj.io/sync-options';
  expect(refusedAt(statefulSet({}, { annotations: { [key]: 'Prune=false' } }))).toEqual([
    `spec.template.metadata.annotations.${key}`,
  ]);
  const prometheus = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'Prometheus',
    metadata: { name: 'a' },
    spec: {
      podMetadata: { annotations: { [TRACKING]: id } },
      commonLabels: { 'tenantry.dev/tenant': 'b' },
    },
  };
  expect(refusedAt(prometheus).toSorted()).toEqual([
    'spec.commonLabels.tenantry.dev/tenant',
    `spec.podMetadata.annotations.${TRACKING}`,
  ]);
  const certificate = {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: 'a' },
    spec: {
      secretName: 'a',
      secretTemplate: { annotations: { 'helm.sh/resource-policy': 'keep' } },
    },
  };
  expect(refusedAt(certificate)).toEqual([
    'spec.secretTemplate.annotations.helm.sh/resource-policy',
  ]);
});

test('a template must not name an Application of the platform, and may name a release of Helm', () => {
  const label = (value: string) => ({ labels: { 'app.kubernetes.io/instance': value } });
  for (const value of ['eu1.payments', 'eu1.payments.tenantry.rbac', 'tenantry']) {
    expect(refusedAt(statefulSet(label(value)))).toEqual([
      'spec.volumeClaimTemplates.0.metadata.labels.app.kubernetes.io/instance',
    ]);
  }
  for (const value of ['db', 'eu1', 'eu2.payments']) {
    expect([value, refusedAt(statefulSet(label(value)))]).toEqual([value, []]);
  }
});

test('selectors may use any label', () => {
  expect(refusedAt(statefulSet({}))).toEqual([]);
});
