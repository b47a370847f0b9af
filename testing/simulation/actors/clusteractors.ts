import type { Actor } from './actor.ts';
import { garbageCollector } from './garbagecollector.ts';
import { namespaceController } from './namespacecontroller.ts';
import { pretendDeployments } from './pretenddeployments.ts';
import { pretendKubelet } from './pretendkubelet.ts';

/** What works in a cluster beside an operator. */
export const clusterActors: readonly Actor[] = [
  garbageCollector,
  namespaceController,
  pretendKubelet,
  pretendDeployments,
];
