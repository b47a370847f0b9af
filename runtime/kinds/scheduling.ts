// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/scheduling.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/scheduling.ts';

/** PriorityClass defines mapping from a priority class name to the priority integer value. */
export const PriorityClass: Kind<PriorityClass, 'scheduling.k8s.io', 'PriorityClass'> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  scope: 'Cluster',
};

export type PriorityClass = api.PriorityClass;
