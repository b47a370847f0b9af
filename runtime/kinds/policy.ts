// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/policy.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/policy.ts';

/** PodDisruptionBudget is an object to define the max disruption that can be caused to a collection of pods */
export const PodDisruptionBudget: Kind<PodDisruptionBudget, 'policy', 'PodDisruptionBudget'> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  scope: 'Namespaced',
};

export type PodDisruptionBudget = api.PodDisruptionBudget;
