import type { Clock } from '@tenantry/runtime/clock/clock';
import type { Chance } from './random.ts';
import { namespaces, type Api } from './server/api.ts';
import type { SimulatedApiServer } from './server/simulated-api-server.ts';
import { groupOf } from '@tenantry/kube/object';
import type { OwnerReference, Live } from '@tenantry/runtime/kinds/kind';
import { foregroundFinalizer, orphanFinalizer } from './server/deletion.ts';
import { toKind, type ServedKinds, type ServedKind } from './server/served-kinds.ts';
import { asLive, type StoredObject } from './server/object-store.ts';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { Pod } from '@tenantry/runtime/kinds/core';

/** A part of Kubernetes that works beside the operator: level-triggered, one step at a time. */
export interface Actor {
  /** The user that it writes as. */
  readonly name: string;
  /** The minimum and maximum delay between a change and its reaction, in milliseconds. */
  readonly delay: readonly [number, number];
  /** Returns the steps that the current state requires. */
  due(server: SimulatedApiServer, api: Api): readonly (() => void)[];
}

/** Runs the due steps of an actor one by one, in random order and after random delays. */
export function runActor(
  actor: Actor,
  server: SimulatedApiServer,
  clock: Clock,
  chance: Chance,
): void {
  const api = server.api(actor.name);
  const [least, most] = actor.delay;
  let isAwaited = false;
  const wake = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    clock.after(chance.whole(least, most), () => {
      isAwaited = false;
      const due = actor.due(server, api);
      if (due.length === 0) return;
      chance.pick(due)();
      wake();
    });
  };
  server.follow(wake);
  wake();
}

/**
 * Deletes objects whose owners are gone, and removes the finalizers of owners that wait for their
 * dependents.
 */
export const garbageCollector: Actor = {
  name: 'garbage-collector',
  delay: [5, 3000],
  due: (server, api) => {
    const objects = [...server.objects()];
    const collection = new Collection(objects, server.kinds, api);
    return objects.flatMap((object) => collection.stepsFor(object));
  },
};

export function findServedKind(
  kinds: ServedKinds,
  { apiVersion, kind }: Pick<StoredObject, 'apiVersion' | 'kind'>,
): ServedKind | undefined {
  return kinds.findByKind(groupOf(apiVersion), kind);
}

/** One pass over all objects. */
class Collection {
  readonly #byUid: ReadonlyMap<string, StoredObject>;
  readonly #objects: readonly StoredObject[];
  readonly #kinds: ServedKinds;
  readonly #api: Api;

  constructor(objects: readonly StoredObject[], kinds: ServedKinds, api: Api) {
    this.#objects = objects;
    this.#byUid = new Map(objects.map((object) => [object.metadata.uid, object]));
    this.#kinds = kinds;
    this.#api = api;
  }

  stepsFor(object: StoredObject): (() => void)[] {
    const served = findServedKind(this.#kinds, object);
    if (!served) return [];
    const { ownerReferences = [], finalizers = [], deletionTimestamp } = object.metadata;
    const steps: (() => void)[] = [];
    if (ownerReferences.length > 0) steps.push(...this.#forDependent(object, served));
    if (deletionTimestamp === undefined) return steps;
    if (finalizers.includes(foregroundFinalizer)) steps.push(...this.#forWaiting(object, served));
    if (finalizers.includes(orphanFinalizer)) steps.push(...this.#forOrphaning(object, served));
    return steps;
  }

  #forDependent(object: StoredObject, served: ServedKind): (() => void)[] {
    const { ownerReferences = [], uid, deletionTimestamp, finalizers } = object.metadata;
    // Objects with an owner that it cannot look up are left alone.
    if (!ownerReferences.every((owner) => this.#canLookUp(owner, served))) return [];
    const there = ownerReferences.filter((owner) => this.#isThere(owner, object));
    const waiting = there.filter((owner) => this.#isWaitingFor(owner));
    const kind = toKind(served);
    if (there.length > waiting.length) {
      if (there.length === ownerReferences.length) return [];
      const left = there.filter((owner) => !waiting.includes(owner));
      return [() => this.#withMetadata(object, served, { ownerReferences: left })];
    }
    if (deletionTimestamp !== undefined) return [];
    const isOrphaned = finalizers?.includes(orphanFinalizer);
    const propagationPolicy =
      waiting.length > 0 ? 'Foreground' : isOrphaned ? 'Orphan' : 'Background';
    const options = { propagationPolicy, preconditions: { uid } } as const;
    return [() => void this.#api.delete(kind, object.metadata, options)];
  }

  #forWaiting(object: StoredObject, served: ServedKind): (() => void)[] {
    const { uid, finalizers = [] } = object.metadata;
    const blocks = ({ uid: of, blockOwnerDeletion }: OwnerReference): boolean =>
      of === uid && blockOwnerDeletion === true;
    if (this.#objects.some(({ metadata }) => metadata.ownerReferences?.some(blocks))) return [];
    const left = finalizers.filter((one) => one !== foregroundFinalizer);
    return [() => this.#withMetadata(object, served, { finalizers: left })];
  }

  #forOrphaning(object: StoredObject, served: ServedKind): (() => void)[] {
    const { uid, finalizers = [] } = object.metadata;
    const isOf = (owner: OwnerReference): boolean => owner.uid === uid;
    const dependents = this.#objects.filter((one) => one.metadata.ownerReferences?.some(isOf));
    const steps = dependents.flatMap((one) => {
      const of = findServedKind(this.#kinds, one);
      const left = one.metadata.ownerReferences?.filter((owner) => !isOf(owner)) ?? [];
      return of ? [() => this.#withMetadata(one, of, { ownerReferences: left })] : [];
    });
    if (steps.length > 0) return steps;
    const left = finalizers.filter((one) => one !== orphanFinalizer);
    return [() => this.#withMetadata(object, served, { finalizers: left })];
  }

  #withMetadata(
    object: StoredObject,
    served: ServedKind,
    metadata: Partial<StoredObject['metadata']>,
  ): void {
    const { resourceVersion } = object.metadata;
    const patch = { metadata: { resourceVersion, ...metadata } };
    this.#api.patch(toKind(served), object.metadata, patch);
  }

  #canLookUp(owner: OwnerReference, dependent: ServedKind): boolean {
    const served = findServedKind(this.#kinds, owner);
    return served !== undefined && (dependent.scope === 'Namespaced' || served.scope === 'Cluster');
  }

  #isThere({ uid, name }: OwnerReference, { metadata }: StoredObject): boolean {
    const owner = this.#byUid.get(uid)?.metadata;
    const isNear = owner?.namespace === undefined || owner.namespace === metadata.namespace;
    return owner?.name === name && isNear;
  }

  #isWaitingFor({ uid, blockOwnerDeletion }: OwnerReference): boolean {
    const owner = this.#byUid.get(uid)?.metadata;
    const isWaiting = owner?.deletionTimestamp !== undefined;
    return (
      isWaiting && blockOwnerDeletion === true && !!owner.finalizers?.includes(foregroundFinalizer)
    );
  }
}

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
