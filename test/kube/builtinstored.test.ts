import { expect, test } from '@jest/globals';
import { builtinAsStored } from '../../kube/builtinstored.ts';

const claimed = { kind: 'PersistentVolumeClaim', name: 'a' };
const template = (volumes: readonly object[]) => ({ template: { spec: { volumes } } });
const ephemeral = (dataSource: object) =>
  template([{ name: 'a', ephemeral: { volumeClaimTemplate: { spec: { dataSource } } } }]);
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
    'those that are said stay',
    'v1 Service',
    { clusterIP: 'None', ports: [{ port: 80, nodePort: 30_080 }] },
    undefined,
  ],
  ['what fits no schema stays', 'v1 Service', { ports: ['x', null], selector: 1 }, undefined],
  ['and so does any other kind', 'example.com/v1 Service', { clusterIP: '' }, undefined],
])('%s', (_, name, spec, expected) => {
  const [apiVersion, kind] = name.split(' ') as [string, string];
  const object = { apiVersion, kind, metadata: { name: 'a' }, spec };
  const before = structuredClone(object);
  const stored = builtinAsStored(object);
  expect(stored['spec']).toEqual(expected ?? before.spec);
  expect(object).toEqual(before);
  if (expected === undefined) expect(stored).toBe(object);
});
