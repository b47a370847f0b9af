import { Deployment } from '../../../runtime/kinds/apps.ts';
import { asLive } from '../server/stored.ts';
import type { Actor } from './actor.ts';

/**
 * A test double of the Deployment controller. Replicas become ready one after the other, and the status
 * shows it. There are neither ReplicaSets nor pods.
 */
export const fakeDeploymentController: Actor = {
  name: 'deployment-controller',
  delay: [10, 1500],
  due: (server, api) =>
    server.store.all(Deployment).flatMap((stored): (() => void)[] => {
      const { metadata, spec, status = {} } = asLive(Deployment, stored);
      if (metadata.deletionTimestamp !== undefined) return [];
      const wanted = spec?.replicas ?? 1;
      const { readyReplicas = 0, observedGeneration } = status;
      const isSeen = observedGeneration === metadata.generation;
      if (isSeen && readyReplicas === wanted) return [];
      const ready = isSeen ? readyReplicas + Math.sign(wanted - readyReplicas) : readyReplicas;
      const next = {
        observedGeneration: metadata.generation,
        replicas: wanted,
        updatedReplicas: wanted,
        ...(ready > 0 && { readyReplicas: ready, availableReplicas: ready }),
      };
      return [() => api.setState(Deployment, stored, (it) => ({ ...it, status: next }))];
    }),
};
