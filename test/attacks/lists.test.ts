import { configMap } from '../apps/fleet.ts';
import { attempts } from './attempt.ts';

const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'mallory' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'mallory' }],
};
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
const list = { apiVersion: 'v1', kind: 'List' };
const everything = { allow: { resources: [{ group: '*', kind: '*' }] } };
const manifest = (written: object) => ({ tenant: { resources: [{ manifest: written }] } });
const file = (text: string) => ({
  tenant: { resources: [{ file: 'resources/x.yaml' }] },
  files: { 'tenants/resources/x.yaml': text },
});
const kinds = (kind: string, group = 'example.com') => ({
  klass: everything,
  platform: { kinds: [{ group, kind, scope: 'Namespaced' }] },
});

// kubectl and Argo CD only look for `items`: an object that has them is a list, and its items are applied.
attempts({
  'a ConfigMap whose items make its author cluster-admin': {
    ...manifest({ ...map, items: [binding] }),
    refused: 'resource-object',
  },
  'the same from a file': {
    ...file(JSON.stringify({ ...map, items: [binding] })),
    refused: 'resource-object',
  },
  'the same with an escape': {
    ...file(`{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, "\\x69tems": []}`),
    refused: 'resource-object',
  },
  'the same from a class': {
    klass: { defaults: { resources: [{ manifest: { ...map, items: [binding] } }] } },
    refused: 'resource-object',
  },
  'the same under a class that allows all kinds': {
    ...manifest({ ...map, items: [binding] }),
    klass: everything,
    refused: 'resource-object',
  },
  'the same in the entry of a namespace': {
    tenant: {
      namespaces: [{ name: 'mallory', resources: [{ manifest: { ...map, items: [binding] } }] }],
    },
    refused: 'resource-object',
  },
  'items that make an object vanish': {
    ...manifest({ ...map, items: [] }),
    refused: 'resource-object',
  },
  'items that are null, which vanish too': {
    ...file('{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, items: }'),
    refused: 'resource-object',
  },
  'items that stop every reader': {
    ...manifest({ ...map, items: {} }),
    refused: 'resource-object',
  },
  'a kind of a list, declared as a kind of the platform': {
    ...manifest({ ...map, apiVersion: 'example.com/v1', kind: 'MapList', items: [binding] }),
    ...kinds('MapList'),
    refused: 'resource-object',
  },
  'a List in a List with invalid items': {
    ...manifest({ ...list, items: [{ ...list, items: {} }] }),
    refused: 'resource-object',
  },
  'a List with a cluster-scoped object': {
    ...manifest({ ...list, items: [map, binding] }),
    refused: 'resource-scope',
  },
  'a list without items that kustomize unpacks': {
    ...manifest({ ...map, apiVersion: 'example.com/v1', kind: 'ResourceList', functionConfig: {} }),
    ...kinds('ResourceList'),
    refused: 'resource-object',
  },
  'a List with objects that are allowed': manifest({ ...list, items: [map] }),
  'items deeper inside': manifest({ ...map, data: { items: '[]' } }),
  'items by another name': {
    ...manifest({ ...map, Items: [], ITEMS: [binding] }),
    refused: 'resource-schema',
  },
  'a kind that only ends in List': {
    ...manifest({ ...map, apiVersion: 'example.com/v1', kind: 'AllowList' }),
    ...kinds('AllowList'),
  },
  'two documents in a file': file(`${configMap('a')}\n---\n${configMap('b')}`),
});
