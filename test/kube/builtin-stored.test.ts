import { expect, test } from '@jest/globals';
import { normalizeBuiltinObject } from '../../kube/builtin-stored.ts';

const claimed = { kind: 'PersistentVolumeClaim', name: 'a' };
const template = (volumes: readonly object[]) => ({ template: { spec: { volumes } } });
const ephemeral = (dataSource: object) =>
  template([{ name: 'a', ephemeral: { volumeClaimTemplate: { spec: { dataSource } } } }]);
const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
const devices = (requests: readonly object[]) => ({ devices: { requests } });
const backend = (resource: object) => ({ defaultBackend: { resource } });

test.each<[string, string, unknown, unknown]>([
  [
    'claims of a StatefulSet say what they are',
    'apps/v1 StatefulSet',
    { volumeClaimTemplates: [{ metadata: { name: 'a' } }] },
    {
      volumeClaimTemplates: [
        { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'a' } },
      ],
    },
  ],
  [
    'those that say it stay',
    'apps/v1 StatefulSet',
    { volumeClaimTemplates: [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' }] },
    undefined,
  ],
  [
    'a source of a claim names no group',
    'v1 PersistentVolumeClaim',
    { dataSource: claimed },
    { dataSource: { apiGroup: null, ...claimed } },
  ],
  [
    'one of an ephemeral claim neither, however deep it lies',
    'apps/v1 Deployment',
    ephemeral(claimed),
    ephemeral({ apiGroup: null, ...claimed }),
  ],
  [
    'nor does a backend of an Ingress',
    'networking.k8s.io/v1 Ingress',
    backend(claimed),
    backend({ apiGroup: null, ...claimed }),
  ],
  [
    'a group that is named stays',
    'v1 PersistentVolumeClaim',
    { dataSource: { apiGroup: 'snapshot.storage.k8s.io', ...claimed } },
    undefined,
  ],
  [
    'and a reference that is no atomic one is not touched',
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
    'nulls there, too',
    'v1 Service',
    { clusterIP: null, ipFamilyPolicy: null, ports: [{ port: 80, nodePort: null }] },
    { ports: [{ port: 80 }] },
  ],
  [
    'one that says that it names none stays',
    'v1 PersistentVolumeClaim',
    { dataSource: { apiGroup: null, ...claimed } },
    undefined,
  ],
  [
    'a port of a Service without a protocol has none that is empty',
    'v1 Service',
    { ports: [{ port: 53, protocol: '' }] },
    { ports: [{ port: 53 }] },
  ],
  [
    'those that are said stay',
    'v1 Service',
    { clusterIP: 'None', ports: [{ port: 80, nodePort: 30_080 }] },
    undefined,
  ],
  [
    'a null says nothing, in items of lists and templates neither',
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
  ['but in a map it is a value', 'v1 Service', { selector: { app: null } }, undefined],
  [
    'a port without a protocol has none that is empty',
    'v1 Pod',
    { containers: [{ ports: [{ containerPort: 53, protocol: '' }] }] },
    { containers: [{ ports: [{ containerPort: 53 }] }] },
  ],
  [
    'of a claim and a pod what is empty until it is chosen is left out, and what is chosen stays',
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
    'a part of a resource is counted by one, and a header has a value',
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
    'a divisor that is said stays, and so does a header',
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
    `one device is asked for where nothing is said of how many, in ${version}`,
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
    'in v1beta1, too, which says it of the request itself or of each that may be',
    'resource.k8s.io/v1beta1 ResourceClaim',
    devices([{ name: 'a' }, { name: 'b', firstAvailable: [{ name: 'c' }] }]),
    devices([
      { name: 'a', allocationMode: 'ExactCount', count: 1 },
      { name: 'b', firstAvailable: [{ name: 'c', allocationMode: 'ExactCount', count: 1 }] },
    ]),
  ],
  ['what fits no schema stays', 'v1 Service', { ports: ['x', null], selector: 1 }, undefined],
  ['and so does any other kind', 'example.com/v1 Service', { clusterIP: '' }, undefined],
])('%s', (_, name, spec, expected) => {
  const [apiVersion, kind] = name.split(' ') as [string, string];
  const object = { apiVersion, kind, metadata: { name: 'a' }, spec };
  const before = structuredClone(object);
  const stored = normalizeBuiltinObject(object);
  expect(stored['spec']).toEqual(expected ?? before.spec);
  expect(object).toEqual(before);
  if (expected === undefined) expect(stored).toBe(object);
});
