import type { Actor } from './actor.ts';
import { garbageCollector } from './garbage-collector.ts';
import { namespaceController } from './namespace-controller.ts';
import { fakeDeploymentController } from './pretend-deployments.ts';
import { fakeKubelet } from './pretend-kubelet.ts';

/** The actors of a cluster, other than the operator. */
export const clusterActors: readonly Actor[] = [
  garbageCollector,
  namespaceController,
  fakeKubelet,
  fakeDeploymentController,
];
