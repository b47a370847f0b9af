import { expect, test } from '@jest/globals';
import type { KubeObject } from '@tenantry/kube/object';
import { formatSteps } from '../../../operator/drift/difference.ts';
import { diffFields } from '../../../operator/drift/diff-fields.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';

const metadata = {
  name: 'a',
  namespace: 'b',
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
};

const of = (apiVersion: string, kind: string, fields: object): KubeObject => ({
  ...fields,
  apiVersion,
  kind,
  metadata: { name: 'a' },
});

const describeDiff = (
  declared: KubeObject,
  fields: object,
  fieldsV1: object = {},
): readonly string[] => {
  const managedFields = [{ manager: 'x', operation: 'Apply', fieldsV1 }] as const;
  const { apiVersion, kind } = declared;
  const live = { ...fields, apiVersion, kind, metadata: { ...metadata, managedFields } } as Live;
  return diffFields(declared, live).map(
    ({ path, ...one }) =>
      `${formatSteps(path)} ${'desired' in one ? 'declared' : ''} ${'live' in one ? 'there' : ''}`,
  );
};

const widget = (spec: object): KubeObject => of('example.com/v1', 'Widget', { spec });

test('declared fields of a custom resource must match exactly, and additional fields are allowed', () => {
  const spec = { size: '0.5', empty: '', off: false, none: [], nothing: null };
  expect(describeDiff(widget(spec), { spec: { ...spec, filled: 1 }, status: { x: 1 } })).toEqual(
    [],
  );
  expect(describeDiff(widget(spec), { spec: { ...spec, size: '500m' } })).toEqual([
    'spec.size declared there',
  ]);
  expect(describeDiff(widget(spec), { spec: {} })).toEqual([
    'spec.size declared ',
    'spec.empty declared ',
    'spec.off declared ',
    'spec.none declared ',
  ]);
  expect(describeDiff(widget(spec), {})).toEqual(['spec declared ']);
});

test('managedFields decide whether a list is compared by keys, as a set or as one value', () => {
  const spec = { list: [{ name: 'a', x: 1 }, { name: 'b' }] };
  const live = { spec: { list: [{ name: 'c' }, { name: 'b' }, { name: 'a', x: 2 }] } };
  const keyed = { 'f:spec': { 'f:list': { 'k:{"name":"a"}': { 'f:x': {} } } } };
  expect(describeDiff(widget(spec), live, keyed)).toEqual([
    'spec.list[name=a].x declared there',
    'spec.list[name=c]  there',
  ]);
  expect(describeDiff(widget(spec), live)).toEqual(['spec.list declared there']);
  const set = { 'f:spec': { 'f:list': { 'v:"a"': {} } } };
  expect(describeDiff(widget({ list: ['a', 'b'] }), { spec: { list: ['b', 'a'] } }, set)).toEqual(
    [],
  );
  expect(describeDiff(widget({ list: ['a', 'b'] }), { spec: { list: ['c', 'a'] } }, set)).toEqual([
    'spec.list[1] declared ',
    'spec.list[0]  there',
  ]);
  expect(describeDiff(widget({ list: ['a', 'b'] }), { spec: { list: ['b', 'a'] } })).toEqual([
    'spec.list[0] declared there',
    'spec.list[1] declared there',
  ]);
});

test('an entry with a defaulted key is found, and one with all of its keys comes first', () => {
  const ports = [{ port: 53 }, { port: 53, protocol: 'UDP' }];
  const live = [
    { port: 53, protocol: 'UDP' },
    { port: 53, protocol: 'TCP', nodePort: 30053 },
  ];
  const fields = { 'f:spec': { 'f:ports': { 'k:{"port":53,"protocol":"UDP"}': {} } } };
  const service = of('v1', 'Service', { spec: { ports } });
  expect(describeDiff(service, { spec: { ports: live } }, fields)).toEqual([]);
  expect(describeDiff(service, { spec: { ports: live.slice(1) } }, fields)).toEqual([
    'spec.ports[port=53,protocol=UDP] declared ',
  ]);
});

test('a key added to the data of a ConfigMap or to a selector is drift, and another label is not', () => {
  const map = of('v1', 'ConfigMap', { data: { a: '' } });
  expect(describeDiff(map, { data: { a: '', b: 'c' } })).toEqual(['data.b  there']);
  // An empty text is a value like others.
  expect(describeDiff(map, { data: {} })).toEqual(['data.a declared ']);
  const template = { metadata: { labels: { app: 'web' } } };
  const selector = { matchLabels: { app: 'web' } };
  const deployment = of('apps/v1', 'Deployment', { spec: { selector, template } });
  const more = { app: 'web', more: 'x' };
  const live = { selector: { matchLabels: more }, template: { metadata: { labels: more } } };
  expect(describeDiff(deployment, { spec: live })).toEqual([
    'spec.selector.matchLabels.more  there',
  ]);
});

test('fields that Kubernetes omits when empty count as present, and other fields count as missing', () => {
  const pod = (spec: object) => of('v1', 'Pod', { spec });
  const left = { hostNetwork: false, tolerations: [], nodeSelector: {}, hostname: '' };
  expect(describeDiff(pod(left), { spec: {} })).toEqual([]);
  expect(describeDiff(pod(left), { spec: { hostNetwork: true, hostname: 'x' } })).toEqual([
    'spec.hostNetwork declared there',
    'spec.hostname declared there',
  ]);
  const kept = { automountServiceAccountToken: false, securityContext: {} };
  expect(describeDiff(pod(kept), { spec: {} })).toEqual([
    'spec.automountServiceAccountToken declared ',
    'spec.securityContext declared ',
  ]);
});

test('quantities, times and bytes are compared by value, and other texts literally', () => {
  const claim = (storage: unknown) =>
    of('v1', 'PersistentVolumeClaim', { spec: { resources: { requests: { storage } } } });
  const live = { spec: { resources: { requests: { storage: '1Gi' } } } };
  expect(describeDiff(claim('1024Mi'), live)).toEqual([]);
  expect(describeDiff(claim('1024M'), live)).toHaveLength(1);
  const lease = of('coordination.k8s.io/v1', 'Lease', {
    spec: { renewTime: '2026-01-01T13:00:00.5+01:00', holderIdentity: '1.0' },
  });
  const spec = { renewTime: '2026-01-01T12:00:00.500000Z', holderIdentity: '1.0' };
  expect(describeDiff(lease, { spec })).toEqual([]);
  expect(describeDiff(lease, { spec: { ...spec, holderIdentity: '1' } })).toHaveLength(1);
  expect(
    describeDiff(lease, { spec: { ...spec, renewTime: '2026-01-01T12:00:00.500001Z' } }),
  ).toHaveLength(1);
  const bytes = of('v1', 'ConfigMap', { binaryData: { logo: 'aGVs\nbG8=' } });
  expect(describeDiff(bytes, { binaryData: { logo: 'aGVsbG8=' } })).toEqual([]);
});
