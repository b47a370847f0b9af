import { attempts } from './attempt.ts';

const manifest = (apiVersion: string, kind: string, metadata: object = {}) => ({
  tenant: { resources: [{ manifest: { apiVersion, kind, metadata: { name: 'x', ...metadata } } }] },
});

// Argo CD removes the namespace of a cluster-scoped object and applies it.
attempts({
  'a cluster-scoped object': {
    ...manifest('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'),
    refused: 'resource-scope',
  },
  'a cluster-scoped object with a namespace': {
    ...manifest('v1', 'Namespace', { namespace: 'mallory' }),
    refused: 'resource-scope',
  },
  'a kind with an unknown scope': {
    ...manifest('example.com/v1', 'Thing'),
    refused: 'resource-scope',
  },
  "an object in somebody else's namespace": {
    ...manifest('v1', 'ConfigMap', { namespace: 'kube-system' }),
    refused: 'resource-namespace',
  },
  "an object in the tenant's own namespace": manifest('v1', 'ConfigMap', { namespace: 'mallory' }),
});
