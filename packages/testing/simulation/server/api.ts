import { isDeepEqual } from '@tenantry/kube/json';
import { deepFreeze } from '@tenantry/kube/immutable';
import { isMapping } from '@tenantry/kube/mapping';
import type {
  ApplyOptions,
  DeleteOptions,
  List,
  ListOptions,
  MergePatch,
  ReadOptions,
  Selection,
  WriteOptions,
} from '@tenantry/runtime/client/client';
import type { Clock, Random } from '@tenantry/runtime/clock/clock';
import {
  apiVersionOf,
  type FieldsOf,
  type Kind,
  type Live,
  type ObjectName,
  type Written,
} from '@tenantry/runtime/kinds/kind';
import { resolveShape } from './admission.ts';
import { Deletion } from './deletion.ts';
import { applyConfiguration } from './fields/field-ownership.ts';
import {
  applyMergePatch,
  asLive,
  toJson,
  type Fields,
  type StoredObject,
  type ObjectStore,
} from './object-store.ts';
import {
  NotSimulated,
  alreadyExists,
  badRequest,
  conflict,
  fieldManagerConflict,
  invalid,
  methodNotAllowed,
  namespaceTerminating,
  generatedNameTaken,
  notFound,
  notServed,
  wasModified,
} from './errors.ts';
import { generateObjectName, readMetadata } from './object-metadata.ts';
import { buildSelectionMatcher, type Paginator } from './listing.ts';
import { applyScale, buildScale } from './scale.ts';
import type { ServedKind, ServedKinds } from './served-kinds.ts';
import type { SimulatedApi } from '../cluster-view.ts';
import { isRemovable, ObjectWriter, type WriteRequest } from './writer.ts';

export const namespaces: Kind = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
};

/** The API of one user. Each call is complete when it returns, before the next one begins. */
export class Api implements SimulatedApi {
  readonly #who: string;
  readonly #store: ObjectStore;
  readonly #kinds: ServedKinds;
  readonly #pages: Paginator;
  readonly #writer: ObjectWriter;
  readonly #deletion: Deletion;
  readonly #random: Random;

  constructor(
    who: string,
    deps: {
      readonly store: ObjectStore;
      readonly kinds: ServedKinds;
      readonly pages: Paginator;
      readonly clock: Clock;
      readonly random: Random;
    },
  ) {
    this.#who = who;
    this.#store = deps.store;
    this.#kinds = deps.kinds;
    this.#pages = deps.pages;
    this.#random = deps.random;
    this.#writer = new ObjectWriter(deps.store, deps.clock, deps.random);
    this.#deletion = new Deletion(deps.store, deps.clock);
  }

  get<K extends Kind>(kind: K, name: ObjectName, options: ReadOptions = {}): Live<K> {
    const { served, part } = this.#resolveKind(kind, options.subresource);
    return this.#answer(kind, served, part, this.#find(kind, name));
  }

  list<K extends Kind>(kind: K, options: ListOptions = {}): List<K> {
    const { served } = this.#resolveKind(kind, undefined);
    const { items, ...page } = this.#pages.list(kind, served, options);
    return {
      ...page,
      items: items.map((item) => asLive(kind, convertToVersion(kind, item, options))),
    };
  }

  create<K extends Kind>(kind: K, object: Written<K>, options: WriteOptions = {}): Live<K> {
    const { served, part } = this.#resolveKind(kind, options.subresource);
    if (part !== undefined) throw new NotSimulated(`to create the ${part} of ${served.plural}`);
    return asLive(
      kind,
      this.#createObject(kind, toJson(object), this.#write(kind, served, part, options)),
    );
  }

  update<K extends Kind>(kind: K, object: Written<K>, options: WriteOptions = {}): Live<K> {
    const { served, part } = this.#resolveKind(kind, options.subresource);
    const given = toJson(object);
    const { name = '', namespace, uid, resourceVersion } = readMetadata(given);
    const write = this.#write(kind, served, part, options);
    const old = this.#store.get(kind, { name, namespace });
    if (!old && served.isMadeByUpdate) {
      checkNoUid(kind, name, uid);
      return asLive(kind, this.#createObject(kind, withoutVersion(given), write));
    }
    if (!old) throw notFound(kind, name);
    if (part !== 'scale' && !resourceVersion && !served.isUpdatedBlindly) {
      const message = 'Invalid value: 0: must be specified for an update';
      throw invalid(kind, name, [{ field: 'metadata.resourceVersion', message }]);
    }
    checkState(kind, old, { uid, resourceVersion });
    const next = part === 'scale' ? applyScale(kind, old, given, served) : given;
    return this.#answer(kind, served, part, this.#writer.change(old, next, write));
  }

  patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options: WriteOptions = {},
  ): Live<K> {
    const { served, part } = this.#resolveKind(kind, options.subresource);
    const old = this.#find(kind, name);
    const asked = toJson(patch);
    const { uid, resourceVersion } = readMetadata(asked);
    checkState(kind, old, { resourceVersion });
    checkUid(kind, old, uid);
    const before = part === 'scale' ? buildScale(old, served) : old;
    const patched = applyMergePatch(before, asked);
    const given = isMapping(patched) ? patched : {};
    if (readMetadata(given).name !== name.name) {
      throw badRequest('the name of the object does not match the name on the URL');
    }
    const next = part === 'scale' ? applyScale(kind, old, given, served) : given;
    const write = this.#write(kind, served, part, options);
    return this.#answer(kind, served, part, this.#writer.change(old, next, write));
  }

  apply<K extends Kind>(kind: K, object: Written<K>, options: ApplyOptions = {}): Live<K> {
    const { served, part } = this.#resolveKind(kind, options.subresource);
    if (part === 'scale') throw new NotSimulated('to apply a scale');
    const given = { ...toJson(object), apiVersion: apiVersionOf(kind), kind: kind.kind };
    const { name = '', namespace, uid, resourceVersion, managedFields } = readMetadata(given);
    if (managedFields) throw badRequest('metadata.managedFields must be nil');
    const old = this.#store.get(kind, { name, namespace });
    if (!old && part !== undefined) throw notFound(kind, name);
    if (old) {
      checkState(kind, old, { resourceVersion });
      checkUid(kind, old, uid);
    } else if (uid !== undefined) {
      const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
      throw conflict(kind, name, why);
    }
    const write = this.#write(kind, served, part, options);
    const [shape, writer] = [resolveShape(served, kind), this.#writer.fieldWriter(write)];
    const applied = applyConfiguration(old, given, old?.metadata.managedFields, shape, writer);
    const { conflicts, managedFields: fields } = applied;
    if (!options.force && conflicts.length > 0) throw fieldManagerConflict(kind, name, conflicts);
    const owned: WriteRequest = { ...write, managedFields: fields };
    if (!old) return asLive(kind, this.#createObject(kind, applied.object, owned));
    return this.#answer(kind, served, part, this.#writer.change(old, applied.object, owned));
  }

  delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options: DeleteOptions = {},
  ): Live<K> | undefined {
    this.#resolveKind(kind, undefined);
    const waiting = this.#deletion.delete(kind, this.#find(kind, name), this.#who, options);
    return waiting && asLive(kind, convertToVersion(kind, waiting));
  }

  deleteCollection(kind: Kind, options: Selection & DeleteOptions = {}): void {
    const { served } = this.#resolveKind(kind, undefined);
    if (kind.plural === 'namespaces') throw methodNotAllowed();
    for (const object of this.#store.all(kind).filter(buildSelectionMatcher(served, options))) {
      this.#deletion.delete(kind, object, this.#who, options);
    }
  }

  /** Changes the state of an object, as only controllers of Kubernetes do. */
  setState(kind: Kind, old: StoredObject, change: (object: StoredObject) => Fields): void {
    const metadata = old.metadata;
    const next = { ...change(old), apiVersion: old.apiVersion, kind: old.kind, metadata };
    if (isDeepEqual(next, old)) return;
    if (metadata.deletionTimestamp !== undefined && isRemovable(next)) {
      this.#store.drop(kind, next, this.#who);
    } else this.#store.put(kind, next, this.#who);
  }

  #resolveKind(
    kind: Kind,
    subresource = kind.part?.subresource,
  ): { readonly served: ServedKind; readonly part: 'status' | 'scale' | undefined } {
    const served = this.#kinds.get(kind);
    if (subresource === undefined) return { served, part: undefined };
    if (subresource === 'status') {
      if (!served.hasStatus) throw notServed();
      return { served, part: 'status' };
    }
    if (subresource !== 'scale') {
      throw new NotSimulated(`the subresource ${subresource} of ${served.plural}`);
    }
    if (!served.scale) throw notServed();
    return { served, part: 'scale' };
  }

  #write(
    kind: Kind,
    served: ServedKind,
    subresource: string | undefined,
    { dryRun = false, fieldManager, fieldValidation = 'Strict' }: WriteOptions,
  ): WriteRequest {
    return {
      // A write of a scale is a change of the scaled object.
      kind: kind.part ? toScaledKind(kind, served) : kind,
      served,
      who: this.#who,
      fieldManager: fieldManager ?? this.#who,
      subresource,
      isDryRun: dryRun,
      isStrict: fieldValidation === 'Strict',
    };
  }

  #createObject(kind: Kind, given: Fields, write: WriteRequest): StoredObject {
    const { name: givenName, generateName, namespace } = readMetadata(given);
    const name = givenName || (generateName && generateObjectName(generateName, this.#random));
    if (!name) {
      const message = 'Required value: name or generateName is required';
      throw invalid(kind, '', [{ field: 'metadata.name', message }]);
    }
    this.#checkNamespace(kind, name, namespace);
    const object = this.#writer.buildNew(given, write, { name, namespace });
    if (this.#store.get(kind, { name, namespace })) {
      throw givenName ? alreadyExists(kind, name) : generatedNameTaken(kind, name);
    }
    return write.isDryRun ? deepFreeze(object) : this.#store.put(kind, object, this.#who);
  }

  #checkNamespace(kind: Kind, name: string, namespace: string | undefined): void {
    if (namespace === undefined) return;
    const found = this.#store.get(namespaces, { name: namespace });
    if (!found) throw notFound(namespaces, namespace);
    if (found.metadata.deletionTimestamp !== undefined) {
      throw namespaceTerminating(kind, name, namespace);
    }
  }

  #find(kind: Kind, name: ObjectName): StoredObject {
    const found = this.#store.get(kind, name);
    if (!found) throw notFound(kind, name.name);
    return found;
  }

  #answer<K extends Kind>(
    kind: K,
    served: ServedKind,
    part: 'status' | 'scale' | undefined,
    object: StoredObject,
  ): Live<K> {
    const answer =
      part === 'scale' ? (deepFreeze(buildScale(object, served)) as StoredObject) : object;
    return asLive(kind, part === 'scale' ? answer : convertToVersion(kind, object));
  }
}

function toScaledKind({ group, version, plural, scope }: Kind, { kind }: ServedKind): Kind {
  return { group, version, kind, plural, scope };
}

/** Converts an object to a version of its kind. */
export function convertToVersion(
  kind: Kind,
  object: StoredObject,
  { metadataOnly = false }: { readonly metadataOnly?: boolean | undefined } = {},
): StoredObject {
  const apiVersion = apiVersionOf(kind);
  if (metadataOnly) return deepFreeze({ apiVersion, kind: kind.kind, metadata: object.metadata });
  return object.apiVersion === apiVersion ? object : deepFreeze({ ...object, apiVersion });
}

/** @throws {ApiError} where the object is another one, or in another state */
function checkState(
  kind: Kind,
  { metadata }: StoredObject,
  {
    uid,
    resourceVersion,
  }: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined },
): void {
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
    throw conflict(kind, metadata.name, why);
  }
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    throw conflict(kind, metadata.name, wasModified);
  }
}

/** Rejects a UID where no object exists that could have it. @throws {ApiError} */
function checkNoUid(kind: Kind, name: string, uid: string | undefined): void {
  if (uid === undefined) return;
  throw conflict(
    kind,
    name,
    `Precondition failed: UID in precondition: ${uid}, UID in object meta: `,
  );
}

function withoutVersion(given: Fields): Fields {
  const { resourceVersion: _, ...metadata } = readMetadata(given);
  return { ...given, metadata };
}

/** Checks the UID in a patch. It is not a precondition but an immutable field. @throws {ApiError} */
function checkUid(kind: Kind, { metadata }: StoredObject, uid: string | undefined): void {
  if (uid === undefined || uid === metadata.uid) return;
  const message = `Invalid value: "${uid}": field is immutable`;
  throw invalid(kind, metadata.name, [{ field: 'metadata.uid', message }]);
}
