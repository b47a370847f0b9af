// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/discovery.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/discovery.ts';

/** EndpointSlice represents a set of service endpoints. */
export const EndpointSlice: Kind<EndpointSlice, 'discovery.k8s.io', 'EndpointSlice'> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  scope: 'Namespaced',
};

export type EndpointSlice = api.EndpointSlice;
