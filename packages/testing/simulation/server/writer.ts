import { isDeepEqual } from '@tenantry/kube/json';
import type { Clock, Random } from '@tenantry/runtime/clock/clock';
import { apiVersionOf, type Kind, type ManagedFields } from '@tenantry/runtime/kinds/kind';
import { admit, resolveShape } from './admission.ts';
import {
  computeManagersAfterUpdate,
  type Writer as FieldWriter,
} from './fields/field-ownership.ts';
import { isSameOwnership } from './fields/managers.ts';
import {
  buildChangedMetadata,
  changesGeneration,
  readMetadata,
  buildNewMetadata,
  formatTime,
  type NewMetadata,
} from './object-metadata.ts';
import type { ObjectStore, Unversioned, Fields, StoredObject } from './object-store.ts';
import type { ServedKind } from './served-kinds.ts';

/** One write and its options. */
export interface WriteRequest {
  readonly kind: Kind;
  readonly served: ServedKind;
  readonly who: string;
  readonly fieldManager: string;
  readonly subresource?: string | undefined;
  readonly isDryRun: boolean;
  readonly isStrict: boolean;
  /** The field managers after the write, where the caller has computed them already. */
  readonly managedFields?: readonly ManagedFields[] | undefined;
}

/** Stores objects as the server does, and lets no client set the fields that the server sets. */
export class ObjectWriter {
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(store: ObjectStore, clock: Clock, random: Random) {
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
  }

  get now(): string {
    return formatTime(this.#clock.date());
  }

  /** Returns the field manager of a write. */
  fieldWriter({ kind, served, fieldManager, subresource }: WriteRequest): FieldWriter {
    const isStatus = subresource === 'status';
    return {
      manager: fieldManager,
      apiVersion: apiVersionOf(kind),
      subresource,
      now: this.now,
      reaches: (path) => {
        const isOfStatus = path === 'f:status' || path.startsWith('f:status\n');
        return served.hasStatus ? isOfStatus === isStatus : !isStatus;
      },
    };
  }

  /** Returns the object as it would be stored for the first time. @throws {ApiError} */
  buildNew(
    given: Fields,
    write: WriteRequest,
    named: Pick<NewMetadata, 'name' | 'namespace'>,
  ): Unversioned {
    const { kind, served, isStrict } = write;
    const [random, date] = [this.#random, this.#clock.date()];
    const metadata = buildNewMetadata(readMetadata(given), {
      kind,
      served,
      ...named,
      random,
      date,
    });
    const body = { ...given, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
    const { name } = named;
    const whole = admit(body, { served, kind, name, old: undefined, isStatus: false, isStrict });
    const object = unversioned(whole, body);
    const shape = resolveShape(served, kind);
    const managedFields =
      write.managedFields ??
      computeManagersAfterUpdate(undefined, object, undefined, shape, this.fieldWriter(write));
    return { ...object, metadata: { ...object.metadata, managedFields } };
  }

  /** Stores the new state of an object; does nothing where the state is unchanged. @throws {ApiError} */
  change(old: StoredObject, given: Fields, write: WriteRequest): StoredObject {
    const { kind, who } = write;
    const next = this.#changed(old, given, write);
    if (isUnchanged(old, next)) return old;
    if (write.isDryRun) return next;
    const isGone = next.metadata.deletionTimestamp !== undefined && isRemovable(next);
    if (isGone) return this.#store.drop(kind, next, who);
    return this.#store.put(kind, next, who);
  }

  #changed(old: StoredObject, given: Fields, write: WriteRequest): Unversioned {
    const { kind, served, subresource, isStrict } = write;
    const isStatus = subresource === 'status';
    const metadata = isStatus
      ? statusMetadata(old, given, write)
      : buildChangedMetadata(kind, readMetadata(given), old);
    const body = {
      ...(isStatus && !served.definition ? { ...old, status: given['status'] } : given),
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata,
    };
    const { name } = metadata;
    const whole = unversioned(admit(body, { served, kind, name, old, isStatus, isStrict }), body);
    const { generation } = whole.metadata;
    const isNext = generation !== undefined && !isStatus && changesGeneration(whole, old, served);
    const counted = isNext ? { generation: generation + 1 } : {};
    const managedFields =
      write.managedFields ??
      computeManagersAfterUpdate(
        old,
        whole,
        old.metadata.managedFields,
        resolveShape(served, kind),
        this.fieldWriter(write),
      );
    return { ...whole, metadata: { ...whole.metadata, ...counted, managedFields } };
  }
}

/** Returns the metadata after a write of the status: unchanged, except for the owners of built-in kinds. */
function statusMetadata(old: StoredObject, given: Fields, { kind, served }: WriteRequest) {
  if (served.definition) return old.metadata;
  const { ownerReferences: _, ...changed } = buildChangedMetadata(kind, readMetadata(given), old);
  const { ownerReferences } = old.metadata;
  return { ...changed, ...(ownerReferences && { ownerReferences }) };
}

function unversioned(object: Fields, { apiVersion, kind, metadata }: Unversioned): Unversioned {
  const ownMetadata = object['metadata'];
  const whole =
    typeof ownMetadata === 'object' && ownMetadata !== null
      ? { ...metadata, ...ownMetadata }
      : metadata;
  return { ...object, apiVersion, kind, metadata: whole };
}

/** Whether neither a finalizer nor a grace period holds the object back. */
export function isRemovable(object: Unversioned): boolean {
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata;
  const spec = object['spec'] as { readonly finalizers?: readonly string[] } | undefined;
  const isHeld = object.kind === 'Namespace' && (spec?.finalizers ?? []).length > 0;
  return finalizers.length === 0 && deletionGracePeriodSeconds === 0 && !isHeld;
}

function isUnchanged(old: StoredObject, next: Unversioned): boolean {
  const { metadata: before, ...was } = old;
  const { metadata: after, ...is } = next;
  const { managedFields: fieldsBefore, resourceVersion: _, ...metadataBefore } = before;
  const { managedFields: fieldsAfter, resourceVersion: __, ...metadataAfter } = after;
  return (
    isDeepEqual(was, is) &&
    isDeepEqual(metadataBefore, metadataAfter) &&
    isSameOwnership(fieldsBefore, fieldsAfter)
  );
}
