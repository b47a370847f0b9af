// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type { Kind } from './kind.ts';

/** PriorityClass defines mapping from a priority class name to the priority integer value. */
export const PriorityClass: Kind<PriorityClass, 'scheduling.k8s.io', 'PriorityClass'> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  scope: 'Cluster',
};

export interface PriorityClass {
  /** description is an arbitrary string that usually provides guidelines on when this priority class should be used. */
  description?: string;
  /** globalDefault specifies whether this PriorityClass should be considered as the default priority for pods that do not have any priority class. */
  globalDefault?: boolean;
  /** preemptionPolicy is the Policy for preempting pods with lower priority. */
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority';
  /** value represents the integer value of this priority class. */
  value?: number;
}
