import type { Actor } from './actor.ts';
import { garbageCollector, findServedKind } from './garbage-collector.ts';
import { namespaces } from '../server/api.ts';
import { toKind } from '../server/served-kinds.ts';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { asLive, type StoredObject } from '../server/stored.ts';
import { Pod } from '@tenantry/runtime/kinds/core';
import type { Live } from '@tenantry/runtime/kinds/kind';

/** Empties namespaces that are being deleted, and then removes their finalizer. */
const namespaceController: Actor = {
  name: 'namespace-controller',
  delay: [5, 3000],
  due: (server, api) => {
    const going = server.store
      .all(namespaces)
      .filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    if (going.length === 0) return [];
    return going.flatMap((namespace) => {
      const inside = [...server.objects()].filter(
        ({ metadata }) => metadata.namespace === namespace.metadata.name,
      );
      if (inside.length === 0) {
        const spec = namespace['spec'] as { readonly finalizers?: readonly string[] };
        if ((spec.finalizers ?? []).length === 0) return [];
        return [() => api.setState(namespaces, namespace, (it) => ({ ...it, spec: {} }))];
      }
      return inside.flatMap((object) => {
        const served = findServedKind(server.kinds, object);
        if (!served || object.metadata.deletionTimestamp !== undefined) return [];
        const { uid } = object.metadata;
        const options = { preconditions: { uid } };
        return [() => void api.delete(toKind(served), object.metadata, options)];
      });
    });
  },
};

/**
 * A test double of the Deployment controller. Replicas become ready one after the other, and the status
 * shows it. There are neither ReplicaSets nor pods.
 */
const fakeDeploymentController: Actor = {
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

const node = 'pretend-node';

/**
 * A test double of scheduler and kubelet. It binds pods, sets them to ready as if every image existed,
 * and removes pods that are being deleted. Nothing runs.
 */
const fakeKubelet: Actor = {
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

/** The actors of a cluster, other than the operator. */
export const clusterActors: readonly Actor[] = [
  garbageCollector,
  namespaceController,
  fakeKubelet,
  fakeDeploymentController,
];
