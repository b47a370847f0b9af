import { expect, test } from '@jest/globals';
import { readLiveObject, type LiveObject } from '../../import/live-objects.ts';

const server = {
  uid: 'u',
  resourceVersion: '7',
  generation: 2,
  creationTimestamp: '2026-01-01T00:00:00Z',
  selfLink: '/api/v1/x',
  managedFields: [],
};

const live = (kind: string, more: object = {}, metadata: object = {}): LiveObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'a', namespace: 'shop', ...server, ...metadata },
  ...more,
});

test('what the API server writes to every object is removed in silence', () => {
  const quota = live('ResourceQuota', { spec: { hard: { pods: '1' } }, status: { used: {} } });
  expect(readLiveObject(quota)).toEqual({
    object: {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'a', namespace: 'shop' },
      spec: { hard: { pods: '1' } },
    },
    live: {},
  });
});

test('notes of tools are removed and named, and instructions to them stay', () => {
  const annotations = {
    'argocd.argoproj.io/tracking-id': 'shop:/ConfigMap:shop/a',
    'kubectl.kubernetes.io/last-applied-configuration': '{"password":"hunter2"}',
    'argocd.argoproj.io/sync-wave': '1',
    owner: 'shop',
  };
  const labels = { 'app.kubernetes.io/instance': 'shop', tier: 'web' };
  const { object, live: facts } = readLiveObject(
    live('ConfigMap', {}, { annotations, labels, finalizers: ['x/y'] }),
  );
  expect(object.metadata).toEqual({
    name: 'a',
    namespace: 'shop',
    annotations: { 'argocd.argoproj.io/sync-wave': '1', owner: 'shop' },
    labels: { tier: 'web' },
  });
  expect(facts?.dropped).toEqual([
    { what: 'finalizers', writer: 'controllers' },
    { what: 'label app.kubernetes.io/instance', writer: 'Argo CD' },
    { what: 'annotation argocd.argoproj.io/tracking-id', writer: 'Argo CD' },
    { what: 'annotation kubectl.kubernetes.io/last-applied-configuration', writer: 'kubectl' },
  ]);
});

test('instructions to a tool are named where a field declares the object and Tenantry sets its own', () => {
  const annotations = { 'argocd.argoproj.io/sync-wave': '1', 'helm.sh/resource-policy': 'keep' };
  const labels = { 'app.kubernetes.io/managed-by': 'us' };
  const { object, live: facts } = readLiveObject(live('LimitRange', {}, { annotations, labels }));
  expect(object.metadata).toEqual({
    name: 'a',
    namespace: 'shop',
    annotations: { 'helm.sh/resource-policy': 'keep' },
  });
  const writer = 'the former manager, which Tenantry replaces';
  expect(facts?.dropped).toEqual([
    { what: 'label app.kubernetes.io/managed-by', writer },
    { what: 'annotation argocd.argoproj.io/sync-wave', writer },
  ]);
});

test('labels that Helm charts and people share stay unless the tool that reads them manages the object', () => {
  const labels = { 'app.kubernetes.io/instance': 'shop', 'app.kubernetes.io/managed-by': 'Helm' };
  expect(readLiveObject(live('ConfigMap', {}, { labels })).object.metadata.labels).toEqual(labels);
  const annotations = { 'meta.helm.sh/release-name': 'shop' };
  expect(
    readLiveObject(live('ConfigMap', {}, { labels, annotations })).object.metadata.labels,
  ).toEqual({ 'app.kubernetes.io/instance': 'shop' });
});

test('generated tokens of an account are removed, and its other secrets stay', () => {
  const names = (...all: string[]) => all.map((name) => ({ name }));
  const account = live('ServiceAccount', {
    secrets: names('a-token-x1y2z', 'mine'),
    imagePullSecrets: names('a-dockercfg-abcde', 'registry'),
  });
  expect(readLiveObject(account).object).toMatchObject({
    secrets: names('mine'),
    imagePullSecrets: names('registry'),
  });
  const { object } = readLiveObject(live('ServiceAccount', { secrets: names('a-token-x1y2z') }));
  expect(object).not.toHaveProperty('secrets');
});

test('addresses of a Service are removed, unless it has none on purpose', () => {
  const assigned = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ports: [] };
  expect(readLiveObject(live('Service', { spec: assigned })).object['spec']).toEqual({ ports: [] });
  const headless = { clusterIP: 'None', clusterIPs: ['None'] };
  expect(readLiveObject(live('Service', { spec: headless })).object['spec']).toEqual(headless);
});

const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u' };

test.each([
  [
    'has an owner',
    live('ConfigMap', { data: {} }, { ownerReferences: [owner] }),
    'for a Deployment',
  ],
  [
    'is being deleted',
    live('ConfigMap', { data: {} }, { deletionTimestamp: 'now' }),
    'is being deleted',
  ],
  ['is an untouched default account', live('ServiceAccount', {}, { name: 'default' }), 'makes it'],
  [
    'only Kubernetes itself wrote',
    live(
      'ConfigMap',
      {},
      {
        managedFields: [
          { manager: 'kube-controller-manager', operation: 'Update', fieldsV1: { 'f:data': {} } },
        ],
      },
    ),
    'makes it',
  ],
])('an object that %s is made, and only its name is kept', (_, object, summary) => {
  const found = readLiveObject(object);
  expect(found.live?.made?.summary).toContain(summary);
  const { name, namespace } = object.metadata;
  const { apiVersion, kind } = object;
  expect(found.object).toEqual({ apiVersion, kind, metadata: { name, namespace } });
});

test('a Namespace is never made: its deletion is noted, and its finalizers are removed', () => {
  const { metadata, ...rest } = live('Namespace', { spec: { finalizers: ['kubernetes'] } });
  const { namespace: _none, ...own } = metadata;
  const found = readLiveObject({
    ...rest,
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { ...own, deletionTimestamp: 'now', ownerReferences: [owner] },
  });
  expect(found.live).toEqual({ isTerminating: true });
  expect(found.object).toEqual({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
});
