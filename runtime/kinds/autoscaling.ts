// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/autoscaling.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/autoscaling.ts';

/** HorizontalPodAutoscaler is the configuration for a horizontal pod autoscaler, which automatically manages the replica count of any resource implementing the scale subresource based on the metrics specified. */
export const HorizontalPodAutoscaler: Kind<
  HorizontalPodAutoscaler,
  'autoscaling',
  'HorizontalPodAutoscaler'
> = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  scope: 'Namespaced',
};

export type HorizontalPodAutoscaler = api.HorizontalPodAutoscaler;
