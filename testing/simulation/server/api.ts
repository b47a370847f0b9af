import { same } from '../../../kube/equality.ts';
import { isMapping } from '../../../kube/mapping.ts';
import type {
  ApplyOptions,
  DeleteOptions,
  List,
  ListOptions,
  MergePatch,
  ReadOptions,
  Selection,
  WriteOptions,
} from '../../../runtime/client/client.ts';
import type { Clock, Random } from '../../../runtime/clock/clock.ts';
import { apiVersionOf, type FieldsOf, type Kind, type Live } from '../../../runtime/kinds/kind.ts';
import type { ObjectName, Written } from '../../../runtime/kinds/kind.ts';
import { shapeOf } from './admitted.ts';
import { Deletion } from './deletion.ts';
import { apply } from './fields/field-ownership.ts';
import { mergePatched } from './merge-patch.ts';
import { NotSimulated } from './not-simulated.ts';
import { generatedName, metadataIn } from './object-metadata.ts';
import type { ObjectStore } from './object-store.ts';
import type { Pages } from './pages.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  fieldsOfOthers,
  invalid,
  methodNotAllowed,
  namespaceGoes,
  nameWasTaken,
  notFound,
  notServed,
  wasModified,
} from './refusal.ts';
import { scaled, scaleIn } from './scale-part.ts';
import { selects } from './selection.ts';
import type { ServedKind } from './served-kind.ts';
import type { ServedKinds } from './served-kinds.ts';
import type { SimulatedApi } from './simulated-api.ts';
import { asLive, frozen, sent, type Fields, type Stored } from './stored.ts';
import { isFree, ObjectWriter, type Write } from './writer.ts';

export const namespaces: Kind = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
};

/** What is done for one who asks, at once: every call is done whole before the next one begins. */
export class Api implements SimulatedApi {
  readonly #who: string;
  readonly #store: ObjectStore;
  readonly #kinds: ServedKinds;
  readonly #pages: Pages;
  readonly #writer: ObjectWriter;
  readonly #deletion: Deletion;
  readonly #random: Random;

  constructor(
    who: string,
    deps: {
      readonly store: ObjectStore;
      readonly kinds: ServedKinds;
      readonly pages: Pages;
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
    const { served, part } = this.#asked(kind, options.subresource);
    return this.#answer(kind, served, part, this.#find(kind, name));
  }

  list<K extends Kind>(kind: K, options: ListOptions = {}): List<K> {
    const { served } = this.#asked(kind, undefined);
    const { items, ...page } = this.#pages.list(kind, served, options);
    return { ...page, items: items.map((item) => asLive(kind, shown(kind, item, options))) };
  }

  create<K extends Kind>(kind: K, object: Written<K>, options: WriteOptions = {}): Live<K> {
    const { served, part } = this.#asked(kind, options.subresource);
    if (part !== undefined) throw new NotSimulated(`to create the ${part} of ${served.plural}`);
    return asLive(kind, this.#make(kind, sent(object), this.#write(kind, served, part, options)));
  }

  update<K extends Kind>(kind: K, object: Written<K>, options: WriteOptions = {}): Live<K> {
    const { served, part } = this.#asked(kind, options.subresource);
    const given = sent(object);
    const { name = '', namespace, uid, resourceVersion } = metadataIn(given);
    const write = this.#write(kind, served, part, options);
    const old = this.#store.get(kind, { name, namespace });
    if (!old && served.isMadeByUpdate) {
      checkNone(kind, name, uid);
      return asLive(kind, this.#make(kind, withoutVersion(given), write));
    }
    if (!old) throw notFound(kind, name);
    if (part !== 'scale' && !resourceVersion && !served.isUpdatedBlindly) {
      const message = 'Invalid value: 0: must be specified for an update';
      throw invalid(kind, name, [{ field: 'metadata.resourceVersion', message }]);
    }
    checkState(kind, old, { uid, resourceVersion });
    const next = part === 'scale' ? scaled(kind, old, given, served) : given;
    return this.#answer(kind, served, part, this.#writer.change(old, next, write));
  }

  patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options: WriteOptions = {},
  ): Live<K> {
    const { served, part } = this.#asked(kind, options.subresource);
    const old = this.#find(kind, name);
    const asked = sent(patch);
    const { uid, resourceVersion } = metadataIn(asked);
    checkState(kind, old, { resourceVersion });
    checkSame(kind, old, uid);
    const before = part === 'scale' ? scaleIn(old, served) : old;
    const patched = mergePatched(before, asked);
    const given = isMapping(patched) ? patched : {};
    if (metadataIn(given).name !== name.name) {
      throw badRequest('the name of the object does not match the name on the URL');
    }
    const next = part === 'scale' ? scaled(kind, old, given, served) : given;
    const write = this.#write(kind, served, part, options);
    return this.#answer(kind, served, part, this.#writer.change(old, next, write));
  }

  apply<K extends Kind>(kind: K, object: Written<K>, options: ApplyOptions = {}): Live<K> {
    const { served, part } = this.#asked(kind, options.subresource);
    if (part === 'scale') throw new NotSimulated('to apply a scale');
    const given = { ...sent(object), apiVersion: apiVersionOf(kind), kind: kind.kind };
    const { name = '', namespace, uid, resourceVersion, managedFields } = metadataIn(given);
    if (managedFields) throw badRequest('metadata.managedFields must be nil');
    const old = this.#store.get(kind, { name, namespace });
    if (!old && part !== undefined) throw notFound(kind, name);
    if (old) {
      checkState(kind, old, { resourceVersion });
      checkSame(kind, old, uid);
    } else if (uid !== undefined) {
      const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
      throw conflict(kind, name, why);
    }
    const write = this.#write(kind, served, part, options);
    const [shape, writer] = [shapeOf(served, kind), this.#writer.fieldWriter(write)];
    const applied = apply(old, given, old?.metadata.managedFields, shape, writer);
    const { conflicts, managedFields: fields } = applied;
    if (!options.force && conflicts.length > 0) throw fieldsOfOthers(kind, name, conflicts);
    const owned: Write = { ...write, managedFields: fields };
    if (!old) return asLive(kind, this.#make(kind, applied.object, owned));
    return this.#answer(kind, served, part, this.#writer.change(old, applied.object, owned));
  }

  delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options: DeleteOptions = {},
  ): Live<K> | undefined {
    this.#asked(kind, undefined);
    const waiting = this.#deletion.delete(kind, this.#find(kind, name), this.#who, options);
    return waiting && asLive(kind, shown(kind, waiting));
  }

  deleteCollection(kind: Kind, options: Selection & DeleteOptions = {}): void {
    const { served } = this.#asked(kind, undefined);
    if (kind.plural === 'namespaces') throw methodNotAllowed();
    for (const object of this.#store.all(kind).filter(selects(served, options))) {
      this.#deletion.delete(kind, object, this.#who, options);
    }
  }

  /** What only controllers of Kubernetes do: the state of an object becomes another one. */
  settle(kind: Kind, old: Stored, change: (object: Stored) => Fields): void {
    const metadata = old.metadata;
    const next = { ...change(old), apiVersion: old.apiVersion, kind: old.kind, metadata };
    if (same(next, old)) return;
    if (metadata.deletionTimestamp !== undefined && isFree(next)) {
      this.#store.drop(kind, next, this.#who);
    } else this.#store.put(kind, next, this.#who);
  }

  #asked(
    kind: Kind,
    subresource = kind.part?.subresource,
  ): { readonly served: ServedKind; readonly part: 'status' | 'scale' | undefined } {
    const served = this.#kinds.of(kind);
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
  ): Write {
    return {
      // A scale is written as a change of what is scaled.
      kind: kind.part ? kindBehind(kind, served) : kind,
      served,
      who: this.#who,
      fieldManager: fieldManager ?? this.#who,
      subresource,
      isDryRun: dryRun,
      isStrict: fieldValidation === 'Strict',
    };
  }

  #make(kind: Kind, given: Fields, write: Write): Stored {
    const { name: said, generateName, namespace } = metadataIn(given);
    const name = said || (generateName && generatedName(generateName, this.#random));
    if (!name) {
      const message = 'Required value: name or generateName is required';
      throw invalid(kind, '', [{ field: 'metadata.name', message }]);
    }
    this.#checkNamespace(kind, name, namespace);
    const object = this.#writer.made(given, write, { name, namespace });
    if (this.#store.get(kind, { name, namespace })) {
      throw said ? alreadyExists(kind, name) : nameWasTaken(kind, name);
    }
    return write.isDryRun ? frozen(object) : this.#store.put(kind, object, this.#who);
  }

  #checkNamespace(kind: Kind, name: string, namespace: string | undefined): void {
    if (namespace === undefined) return;
    const found = this.#store.get(namespaces, { name: namespace });
    if (!found) throw notFound(namespaces, namespace);
    if (found.metadata.deletionTimestamp !== undefined) {
      throw namespaceGoes(kind, name, namespace);
    }
  }

  #find(kind: Kind, name: ObjectName): Stored {
    const found = this.#store.get(kind, name);
    if (!found) throw notFound(kind, name.name);
    return found;
  }

  #answer<K extends Kind>(
    kind: K,
    served: ServedKind,
    part: 'status' | 'scale' | undefined,
    object: Stored,
  ): Live<K> {
    const answer = part === 'scale' ? (frozen(scaleIn(object, served)) as Stored) : object;
    return asLive(kind, part === 'scale' ? answer : shown(kind, object));
  }
}

function kindBehind({ group, version, plural, scope }: Kind, { kind }: ServedKind): Kind {
  return { group, version, kind, plural, scope };
}

/** An object as who asks for a version of its kind sees it. */
export function shown(
  kind: Kind,
  object: Stored,
  { metadataOnly = false }: { readonly metadataOnly?: boolean | undefined } = {},
): Stored {
  const apiVersion = apiVersionOf(kind);
  if (metadataOnly) return frozen({ apiVersion, kind: kind.kind, metadata: object.metadata });
  return object.apiVersion === apiVersion ? object : frozen({ ...object, apiVersion });
}

/** @throws {ApiError} where it is another object, or another state of it */
function checkState(
  kind: Kind,
  { metadata }: Stored,
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

/** There is no object any more that could have the uid. @throws {ApiError} */
function checkNone(kind: Kind, name: string, uid: string | undefined): void {
  if (uid === undefined) return;
  throw conflict(
    kind,
    name,
    `Precondition failed: UID in precondition: ${uid}, UID in object meta: `,
  );
}

function withoutVersion(given: Fields): Fields {
  const { resourceVersion: _, ...metadata } = metadataIn(given);
  return { ...given, metadata };
}

/** A uid is no precondition of a patch: it is a field that cannot be changed. @throws {ApiError} */
function checkSame(kind: Kind, { metadata }: Stored, uid: string | undefined): void {
  if (uid === undefined || uid === metadata.uid) return;
  const message = `Invalid value: "${uid}": field is immutable`;
  throw invalid(kind, metadata.name, [{ field: 'metadata.uid', message }]);
}
