import {
  keyOf,
  resourceOf,
  type Kind,
  type Live,
  type ObjectName,
} from '@tenantry/runtime/kinds/kind';
import { isMapping } from '@tenantry/kube/mapping';
import { deepFreeze } from '@tenantry/kube/immutable';
import { expired } from './errors.ts';

/** A JSON object, before its fields are checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** A stored object. It is deeply frozen, so that all readers share one copy. */
export type StoredObject = Live & Fields;

/** The result of a write. */
export interface StoredChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** `deployments.apps`. */
  readonly resource: string;
  /** The new state; for a deletion the last state, with the version of the deletion. */
  readonly object: StoredObject;
  /** The state before. */
  readonly old: StoredObject | undefined;
  readonly version: number;
  /** The user that wrote it. */
  readonly who: string;
}

/** Returns the same object with the type of its kind. */
export function asLive<K extends Kind>(_kind: K, object: StoredObject): Live<K> {
  return object as Live as Live<K>;
}

/** Converts an object to JSON as the server reads it, without undefined fields. */
export function toJson(object: object): Fields {
  return JSON.parse(JSON.stringify(object)) as Fields;
}

/** Applies a JSON merge patch to a value (RFC 7386). */
export function applyMergePatch(value: unknown, patch: unknown): unknown {
  if (!isMapping(patch)) return patch;
  const result: Record<string, unknown> = isMapping(value) ? { ...value } : {};
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) delete result[name];
    else result[name] = applyMergePatch(result[name], part);
  }
  return result;
}

/** An object before it has a version. */
export type Unversioned = Fields & Pick<StoredObject, 'apiVersion' | 'kind' | 'metadata'>;

/** Stores the objects of all kinds and their changes, as far back as history is kept: etcd, in memory. */
export class ObjectStore {
  readonly #objects = new Map<string, Map<string, StoredObject>>();
  readonly #listeners = new Set<(change: StoredChange) => void>();
  #history: StoredChange[] = [];
  #version = 1000;
  #compacted = 0;

  /** The version of the last change. */
  get version(): number {
    return this.#version;
  }

  get(kind: Kind, name: ObjectName): StoredObject | undefined {
    return this.#objects.get(resourceOf(kind))?.get(keyOf(name));
  }

  /** Returns all objects of a kind, sorted by key. */
  all(kind: Kind): StoredObject[] {
    return [...(this.#objects.get(resourceOf(kind)) ?? [])]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, object]) => object);
  }

  /** Yields the objects of all kinds, by resource, in the order of their creation. */
  *entries(): Generator<readonly [resource: string, object: StoredObject]> {
    for (const [resource, objects] of this.#objects) {
      for (const object of objects.values()) yield [resource, object];
    }
  }

  put(kind: Kind, object: Unversioned, who: string): StoredObject {
    const [resource, key] = [resourceOf(kind), keyOf(object.metadata)];
    const objects = this.#objects.get(resource) ?? new Map<string, StoredObject>();
    this.#objects.set(resource, objects);
    const old = objects.get(key);
    const stored = this.#next(object);
    objects.set(key, stored);
    this.#publish({ type: old ? 'MODIFIED' : 'ADDED', resource, object: stored, old, who });
    return stored;
  }

  drop(kind: Kind, object: Unversioned, who: string): StoredObject {
    const [resource, key] = [resourceOf(kind), keyOf(object.metadata)];
    const old = this.#objects.get(resource)?.get(key);
    this.#objects.get(resource)?.delete(key);
    const last = this.#next(object);
    this.#publish({ type: 'DELETED', resource, object: last, old, who });
    return last;
  }

  /**
   * Returns the changes of a kind after a version. @throws {ApiError} where history does not reach back
   * so far
   */
  since(kind: Kind, version: number): StoredChange[] {
    if (version < this.#compacted) throw expired();
    const resource = resourceOf(kind);
    const first = this.#history.findLastIndex((change) => change.version <= version) + 1;
    return this.#history.slice(first).filter((change) => change.resource === resource);
  }

  /** Whether history still reaches back to a version. */
  hasVersion(version: number): boolean {
    return version >= this.#compacted;
  }

  /** Returns the last changes of a kind up to a version, at most so many. */
  last(kind: Kind, count: number): StoredChange[] {
    const resource = resourceOf(kind);
    return this.#history.filter((change) => change.resource === resource).slice(-count);
  }

  /** Drops the history up to now. */
  compact(): void {
    this.#compacted = this.#version;
    this.#history = [];
  }

  /**
   * Calls the listener for every change, in order, as soon as it is made, until the returned function
   * is called.
   */
  follow(listener: (change: StoredChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #next(object: Unversioned): StoredObject {
    this.#version += 1;
    const metadata = { ...object.metadata, resourceVersion: String(this.#version) };
    return deepFreeze({ ...object, metadata });
  }

  #publish(change: Omit<StoredChange, 'version'>): void {
    const versioned = { ...change, version: this.#version };
    this.#history.push(versioned);
    for (const listener of this.#listeners) listener(versioned);
  }
}
