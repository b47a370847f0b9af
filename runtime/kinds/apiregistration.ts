// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/apiregistration.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/apiregistration.ts';

/** APIService represents a server for a particular GroupVersion. */
export const APIService: Kind<APIService, 'apiregistration.k8s.io', 'APIService'> = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  scope: 'Cluster',
};

export type APIService = api.APIService;
