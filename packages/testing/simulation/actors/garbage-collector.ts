import { groupOf } from '@tenantry/kube/object';
import type { OwnerReference } from '@tenantry/runtime/kinds/kind';
import type { Api } from '../server/api.ts';
import { foregroundFinalizer, orphanFinalizer } from '../server/deletion.ts';
import { toKind, type ServedKinds, type ServedKind } from '../server/served-kinds.ts';
import type { StoredObject } from '../server/stored.ts';
import type { Actor } from './actor.ts';

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
