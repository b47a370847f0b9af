import { keyOf, resourceOf, type Kind, type ObjectName } from '../../../runtime/kinds/kind.ts';
import { expired } from './refusal.ts';
import { deepFreeze, type Fields, type StoredObject, type StoredChange } from './stored.ts';

/** What an object is before it has a version. */
export type Unversioned = Fields & Pick<StoredObject, 'apiVersion' | 'kind' | 'metadata'>;

/** What is stored of all kinds, and what was, as far back as history is kept: etcd, in memory. */
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

  /** All objects of a kind, by their keys in order. */
  all(kind: Kind): StoredObject[] {
    return [...(this.#objects.get(resourceOf(kind)) ?? [])]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, object]) => object);
  }

  /** Those of all kinds, by resource, in the order in which they came. */
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

  /** What changed of a kind after a version. @throws {ApiError} for one that is forgotten */
  since(kind: Kind, version: number): StoredChange[] {
    if (version < this.#compacted) throw expired();
    const resource = resourceOf(kind);
    const first = this.#history.findLastIndex((change) => change.version <= version) + 1;
    return this.#history.slice(first).filter((change) => change.resource === resource);
  }

  /** Whether what was at a version can still be told. */
  hasVersion(version: number): boolean {
    return version >= this.#compacted;
  }

  /** The last changes of a kind up to a version, at most so many. */
  last(kind: Kind, count: number): StoredChange[] {
    const resource = resourceOf(kind);
    return this.#history.filter((change) => change.resource === resource).slice(-count);
  }

  /** History up to now is forgotten. */
  compact(): void {
    this.#compacted = this.#version;
    this.#history = [];
  }

  /** Told of every change, in order, as soon as it is made, until what it returns is called. */
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
