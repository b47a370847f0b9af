// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/coordination.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/coordination.ts';

/** Lease defines a lease concept. */
export const Lease: Kind<Lease, 'coordination.k8s.io', 'Lease'> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
};

export type Lease = api.Lease;
