import { omitUndefined, valueAt } from '@tenantry/kube/mapping';
import type { DeleteOptions } from '@tenantry/runtime/client/client';
import type { Clock } from '@tenantry/runtime/clock/clock';
import type { Kind } from '@tenantry/runtime/kinds/kind';
import { formatTime } from './object-metadata.ts';
import type { ObjectStore, Unversioned, StoredObject } from './object-store.ts';
import { conflict } from './errors.ts';
import { isRemovable } from './writer.ts';

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

/** Deletes objects, or marks those that a finalizer or a grace period holds back. */
export class Deletion {
  readonly #store: ObjectStore;
  readonly #clock: Clock;

  constructor(store: ObjectStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the object where it is only marked; undefined where it is deleted. @throws {ApiError} */
  delete(
    kind: Kind,
    old: StoredObject,
    who: string,
    options: DeleteOptions = {},
  ): StoredObject | undefined {
    checkPreconditions(kind, old, options);
    const next = this.#marked(old, options);
    if (options.dryRun) return isRemovable(next) ? undefined : old;
    if (isRemovable(next)) {
      this.#store.drop(kind, next, who);
      return undefined;
    }
    if (next === old) return old;
    return this.#store.put(kind, next, who);
  }

  #marked(old: StoredObject, options: DeleteOptions): Unversioned {
    const seconds = computeGracePeriod(old, options);
    const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation } = old.metadata;
    const isSooner = deletionTimestamp !== undefined && seconds < deletionGracePeriodSeconds;
    const finalizers = computeFinalizers(old, options);
    const hasChangedFinalizers = finalizers.length !== (old.metadata.finalizers ?? []).length;
    if (deletionTimestamp !== undefined && !isSooner && !hasChangedFinalizers) return old;
    const date = new Date(this.#clock.date().getTime() + seconds * 1000);
    const isFirst = deletionTimestamp === undefined;
    const { finalizers: _, ...metadata } = old.metadata;
    const isMoved = isFirst || isSooner;
    const marked: StoredObject['metadata'] = omitUndefined({
      ...metadata,
      finalizers: finalizers.length > 0 ? finalizers : undefined,
      generation: generation !== undefined && isFirst ? generation + 1 : generation,
      deletionTimestamp: isMoved ? formatTime(date) : deletionTimestamp,
      deletionGracePeriodSeconds:
        isMoved && old.kind !== 'Namespace' ? seconds : metadata.deletionGracePeriodSeconds,
    });
    return { ...withPhase(old), metadata: marked };
  }
}

/** Sets the phase of a namespace that is being deleted to Terminating. */
function withPhase(old: StoredObject): StoredObject {
  if (old.kind !== 'Namespace') return old;
  return { ...old, status: { ...(old['status'] as object), phase: 'Terminating' } };
}

function checkPreconditions(
  kind: Kind,
  { metadata }: StoredObject,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(kind, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(kind, metadata.name, why);
  }
}

/** Returns the grace period in seconds: pods that run on a node have one, all other objects have 0. */
function computeGracePeriod(object: StoredObject, { gracePeriodSeconds }: DeleteOptions): number {
  if (object.kind !== 'Pod' || object.apiVersion !== 'v1') return 0;
  const phase = valueAt(object, ['status', 'phase']);
  const node = valueAt(object, ['spec', 'nodeName']);
  if (!node || phase === 'Failed' || phase === 'Succeeded') return 0;
  const own = valueAt(object, ['spec', 'terminationGracePeriodSeconds']);
  return gracePeriodSeconds ?? (typeof own === 'number' ? own : 30);
}

/** Returns the finalizers with those that the propagation policy adds for the garbage collector. */
function computeFinalizers(
  { metadata }: StoredObject,
  { propagationPolicy }: DeleteOptions,
): readonly string[] {
  const { finalizers = [] } = metadata;
  if (propagationPolicy === undefined) return finalizers;
  const others = finalizers.filter((one) => one !== foregroundFinalizer && one !== orphanFinalizer);
  if (propagationPolicy === 'Foreground') return [...others, foregroundFinalizer];
  return propagationPolicy === 'Orphan' ? [...others, orphanFinalizer] : others;
}
