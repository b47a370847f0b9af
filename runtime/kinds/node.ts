// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/node.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/node.ts';

/** RuntimeClass defines a class of container runtime supported in the cluster. */
export const RuntimeClass: Kind<RuntimeClass, 'node.k8s.io', 'RuntimeClass'> = {
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  scope: 'Cluster',
};

export type RuntimeClass = api.RuntimeClass;
