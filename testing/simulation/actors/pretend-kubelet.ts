import { Pod } from '../../../runtime/kinds/core.ts';
import type { Live } from '../../../runtime/kinds/kind.ts';
import { asLive, type StoredObject } from '../server/stored.ts';
import type { Actor } from './actor.ts';

const node = 'pretend-node';

/**
 * A test double of scheduler and kubelet. It binds pods, sets them to ready as if every image existed,
 * and removes pods that are being deleted. Nothing runs.
 */
export const fakeKubelet: Actor = {
  name: 'kubelet',
  delay: [10, 2500],
  due: (server, api) =>
    server.store.all(Pod).flatMap((stored): (() => void)[] => {
      const pod: Live<typeof Pod> = asLive(Pod, stored);
      const { deletionTimestamp, uid } = pod.metadata;
      const isEnded = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
      if (deletionTimestamp !== undefined) {
        if (pod.metadata.deletionGracePeriodSeconds === 0) return [];
        const options = { gracePeriodSeconds: 0, preconditions: { uid } };
        return [() => void api.delete(Pod, pod.metadata, options)];
      }
      if (isEnded) return [];
      if (pod.spec?.nodeName === undefined) {
        return [() => api.setState(Pod, stored, bindPod)];
      }
      if (pod.status?.phase === 'Running') return [];
      const time = pod.metadata.creationTimestamp;
      return [
        () => api.setState(Pod, stored, (it) => ({ ...it, status: buildRunningStatus(it, time) })),
      ];
    }),
};

const bindPod = (pod: StoredObject) => ({
  ...pod,
  spec: { ...(pod['spec'] as object), nodeName: node },
});

function buildRunningStatus(pod: StoredObject, lastTransitionTime: string): object {
  const types = ['Initialized', 'ContainersReady', 'Ready', 'PodScheduled'];
  return {
    ...(pod['status'] as object),
    phase: 'Running',
    hostIP: '127.0.0.1',
    podIP: '10.244.0.1',
    startTime: lastTransitionTime,
    conditions: types.map((type) => ({ type, status: 'True', lastTransitionTime })),
  };
}
