import { expect, test } from '@jest/globals';
import { normalizeBuiltinObject } from '../builtin-stored.ts';

const claimed = { kind: 'PersistentVolumeClaim', name: 'a' };
const template = (volumes: readonly object[]) => ({ template: { spec: { volumes } } });
const ephemeral = (dataSource: object) =>
  template([{ name: 'a', ephemeral: { volumeClaimTemplate: { spec: { dataSource } } } }]);
const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
const devices = (requests: readonly object[]) => ({ devices: { requests } });
const backend = (resource: object) => ({ defaultBackend: { resource } });

test.each<[string, string, unknown, unknown]>([
  [
    'claims of a StatefulSet get their apiVersion and kind',
    'apps/v1 StatefulSet',
    { volumeClaimTemplates: [{ metadata: { name: 'a' } }] },
    {
      volumeClaimTemplates: [
        { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'a' } },
      ],
    },
  ],
  [
    'claims that already have them stay',
    'apps/v1 StatefulSet',
    { volumeClaimTemplates: [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' }] },
    undefined,
  ],
  [
    'the source of a claim gets a null group',
    'v1 PersistentVolumeClaim',
    { dataSource: claimed },
    { dataSource: { apiGroup: null, ...claimed } },
  ],
  [
    'so does that of an ephemeral claim, at any depth',
    'apps/v1 Deployment',
    ephemeral(claimed),
    ephemeral({ apiGroup: null, ...claimed }),
  ],
  [
    'so does a backend of an Ingress',
    'networking.k8s.io/v1 Ingress',
    backend(claimed),
    backend({ apiGroup: null, ...claimed }),
  ],
  [
    'a group that is set stays',
    'v1 PersistentVolumeClaim',
    { dataSource: { apiGroup: 'snapshot.storage.k8s.io', ...claimed } },
    undefined,
  ],
  [
    'a reference that is not atomic does not change',
    'v1 PersistentVolumeClaim',
    { dataSourceRef: claimed },
    undefined,
  ],
  [
    'empty addresses and ports of a Service are left out',
    'v1 Service',
    {
      clusterIP: '',
      clusterIPs: [],
      ipFamilies: [],
      healthCheckNodePort: 0,
      ports: [{ port: 80, nodePort: 0 }],
    },
    { ports: [{ port: 80 }] },
  ],
  [
    'so are nulls',
    'v1 Service',
    { clusterIP: null, ipFamilyPolicy: null, ports: [{ port: 80, nodePort: null }] },
    { ports: [{ port: 80 }] },
  ],
  [
    'a reference with an explicit null group stays',
    'v1 PersistentVolumeClaim',
    { dataSource: { apiGroup: null, ...claimed } },
    undefined,
  ],
  [
    'a port of a Service has no empty protocol',
    'v1 Service',
    { ports: [{ port: 53, protocol: '' }] },
    { ports: [{ port: 53 }] },
  ],
  [
    'addresses and ports that are set stay',
    'v1 Service',
    { clusterIP: 'None', ports: [{ port: 80, nodePort: 30_080 }] },
    undefined,
  ],
  [
    'a null field is left out, also in items of lists and in templates',
    'apps/v1 Deployment',
    {
      replicas: null,
      template: {
        metadata: { creationTimestamp: null, labels: { a: 'b' } },
        spec: { containers: [{ name: 'a', args: null, env: [{ name: 'B', value: null }] }] },
      },
    },
    {
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { containers: [{ name: 'a', env: [{ name: 'B' }] }] },
      },
    },
  ],
  ['a null in a map is a value and stays', 'v1 Service', { selector: { app: null } }, undefined],
  [
    'a port has no empty protocol',
    'v1 Pod',
    { containers: [{ ports: [{ containerPort: 53, protocol: '' }] }] },
    { containers: [{ ports: [{ containerPort: 53 }] }] },
  ],
  [
    'of a claim and a pod, empty fields with a later choice are left out, and chosen values stay',
    'apps/v1 StatefulSet',
    {
      template: { spec: { serviceAccountName: 'b', serviceAccount: '', nodeName: '' } },
      volumeClaimTemplates: [{ ...claim, spec: { volumeName: '', storageClassName: '' } }],
    },
    {
      template: { spec: { serviceAccountName: 'b' } },
      volumeClaimTemplates: [{ ...claim, spec: { storageClassName: '' } }],
    },
  ],
  [
    'a resource field gets the divisor 1, and a header gets a value',
    'v1 Pod',
    {
      containers: [
        {
          env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }],
          livenessProbe: { httpGet: { httpHeaders: [{ name: 'X' }, { name: 'Y', value: 'y' }] } },
        },
      ],
    },
    {
      containers: [
        {
          env: [
            {
              name: 'A',
              valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } },
            },
          ],
          livenessProbe: {
            httpGet: {
              httpHeaders: [
                { name: 'X', value: '' },
                { name: 'Y', value: 'y' },
              ],
            },
          },
        },
      ],
    },
  ],
  [
    'a divisor that is set stays, and so does a header',
    'v1 Pod',
    {
      containers: [
        {
          env: [{ valueFrom: { resourceFieldRef: { resource: 'a', divisor: '1Mi' } } }],
          livenessProbe: { httpGet: { httpHeaders: [{ name: 'X', value: '' }] } },
        },
      ],
    },
    undefined,
  ],
  ...['v1', 'v1beta2'].map((version): [string, string, unknown, unknown] => [
    `the default is one device if no count is set, in ${version}`,
    `resource.k8s.io/${version} ResourceClaim`,
    devices([
      { name: 'a', exactly: { deviceClassName: 'a' } },
      { name: 'b', exactly: { allocationMode: 'All', tolerations: [{ key: 'x' }] } },
      { name: 'c', firstAvailable: [{ name: 'd', count: 2 }] },
    ]),
    devices([
      { name: 'a', exactly: { deviceClassName: 'a', allocationMode: 'ExactCount', count: 1 } },
      {
        name: 'b',
        exactly: { allocationMode: 'All', tolerations: [{ key: 'x', operator: 'Equal' }] },
      },
      { name: 'c', firstAvailable: [{ name: 'd', count: 2, allocationMode: 'ExactCount' }] },
    ]),
  ]),
  [
    'so it is in v1beta1, where the request itself or each of its alternatives has the count',
    'resource.k8s.io/v1beta1 ResourceClaim',
    devices([{ name: 'a' }, { name: 'b', firstAvailable: [{ name: 'c' }] }]),
    devices([
      { name: 'a', allocationMode: 'ExactCount', count: 1 },
      { name: 'b', firstAvailable: [{ name: 'c', allocationMode: 'ExactCount', count: 1 }] },
    ]),
  ],
  [
    'a value that matches no schema stays',
    'v1 Service',
    { ports: ['x', null], selector: 1 },
    undefined,
  ],
  ['so does any other kind', 'example.com/v1 Service', { clusterIP: '' }, undefined],
])('%s', (_, name, spec, expected) => {
  const [apiVersion, kind] = name.split(' ') as [string, string];
  const object = { apiVersion, kind, metadata: { name: 'a' }, spec };
  const before = structuredClone(object);
  const stored = normalizeBuiltinObject(object);
  expect(stored['spec']).toEqual(expected ?? before.spec);
  expect(object).toEqual(before);
  if (expected === undefined) expect(stored).toBe(object);
});
