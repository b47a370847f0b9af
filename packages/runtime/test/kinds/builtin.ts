import type { Kind } from '../../kinds/kind.ts';

/** The built-in kinds that tests of the runtime need. */
export const configMaps: Kind<{ data?: Record<string, string> }, '', 'ConfigMap'> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
};

export const namespaces: Kind<
  { spec?: object; status?: { phase?: 'Active' | 'Terminating' } },
  '',
  'Namespace'
> = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' };

export const deployments: Kind<
  { spec?: { replicas?: number }; status?: { replicas?: number } },
  'apps',
  'Deployment'
> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
};

export const leases: Kind<
  { spec?: { holderIdentity?: string; renewTime?: string } },
  'coordination.k8s.io',
  'Lease'
> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
};
