// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

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
