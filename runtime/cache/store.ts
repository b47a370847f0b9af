import type { UnreadableObject } from '../client/client.ts';
import type { Kind, Live } from '../kinds/kind.ts';
import type { Sink } from '../watch/sink.ts';
import type { Cached, CacheIndex, CachedSelection } from './cached.ts';
import type { CacheTransform } from './cache-transform.ts';
import type { Listener } from './listener.ts';
import { ObjectIndex } from './object-index.ts';
import { OwnWrites, type UnobservedObject } from './own-writes.ts';
import { buildSelectionMatcher } from './selected.ts';

export interface StoreOptions<K extends Kind, O extends Cached> {
  readonly kind: K;
  readonly door: CacheTransform<K, O>;
  readonly indexes: readonly CacheIndex<O>[];
  readonly onError: (error: unknown) => void;
}

/** The objects that the watch has delivered, by key, overlaid with the later writes of this program. */
export class Store<K extends Kind, O extends Cached> implements Sink<K> {
  readonly own = new OwnWrites<O>();
  readonly listeners = new Set<Listener<O>>();
  readonly #objects = new Map<string, O>();
  /** Objects that could not be read. A state that is held of one of them is outdated. */
  readonly #unreadable = new Map<string, UnreadableObject>();
  readonly #indexes = new Map<CacheIndex<O>, ObjectIndex<O>>();
  readonly #options: StoreOptions<K, O>;
  #isListed = false;
  #onListed: () => void;

  constructor(options: StoreOptions<K, O>, onListed: () => void) {
    this.#options = options;
    this.#onListed = onListed;
    if (options.kind.scope === 'Namespaced') this.index(namespaceOf);
    for (const by of options.indexes) this.index(by);
  }

  get isListed(): boolean {
    return this.#isListed;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Lists the objects that exist and could not be read. */
  listUnreadable(): Iterable<UnreadableObject> {
    return this.#unreadable.values();
  }

  /** Includes the writes of this program. */
  get(key: string): O | undefined {
    const write = this.own.get(key);
    if (!write) return this.#objects.get(key);
    return write.type === 'written' ? write.object : undefined;
  }

  /** Returns the state that the watch delivered. */
  getObserved(key: string): O | undefined {
    return this.#objects.get(key);
  }

  list({ namespace, labelSelector, index }: CachedSelection<O>): O[] {
    const selects = buildSelectionMatcher({ namespace, labelSelector });
    const found: O[] = [];
    const isAll = namespace === undefined && labelSelector === undefined;
    for (const key of this.#candidates(namespace, index)) {
      const object = this.own.get(key) ? undefined : this.#objects.get(key);
      if (object && (isAll || selects(object))) found.push(object);
    }
    for (const [, write] of this.own.entries()) {
      if (write.type === 'hidden' || !selects(write.object)) continue;
      if (!index || this.#isUnder(index, write.object)) found.push(write.object);
    }
    return found;
  }

  /** Adds an index. A second call has no effect. */
  index(by: CacheIndex<O>): void {
    if (this.#indexes.has(by)) return;
    const index = new ObjectIndex(by);
    this.#indexes.set(by, index);
    for (const [key, object] of this.#objects) this.#try(() => index.add(key, object));
  }

  held(key: string): O['metadata'] | undefined {
    return this.#objects.get(key)?.metadata ?? this.#unreadable.get(key)?.metadata;
  }

  keys(): Iterable<string> {
    if (this.#unreadable.size === 0) return this.#objects.keys();
    return new Set([...this.#objects.keys(), ...this.#unreadable.keys()]);
  }

  unreadable(key: string, object: UnreadableObject): void {
    this.#unreadable.set(key, object);
  }

  put(key: string, live: Live<K>): void {
    const object = this.#options.door(live);
    const before = this.#objects.get(key);
    this.#unreadable.delete(key);
    this.#objects.set(key, object);
    this.own.put(key, object.metadata);
    for (const index of this.#indexes.values()) {
      if (before) this.#try(() => index.remove(key, before));
      this.#try(() => index.add(key, object));
    }
    for (const listener of this.listeners) {
      if (before) listener.changed(key, before, object);
      else listener.added(object, !this.#isListed);
    }
  }

  drop(key: string, resourceVersion?: string): void {
    this.#unreadable.delete(key);
    const last = this.#objects.get(key);
    if (!last) return;
    this.#objects.delete(key);
    this.own.drop(key, last.metadata, resourceVersion);
    for (const index of this.#indexes.values()) this.#try(() => index.remove(key, last));
    for (const listener of this.listeners) listener.deleted(key, last);
  }

  listing(): void {
    this.own.listing();
  }

  listed(): void {
    this.#notifyGone(this.own.listed((key) => this.#objects.has(key)));
    this.#isListed = true;
    for (const listener of this.listeners) listener.sync();
    this.#onListed();
  }

  reached(resourceVersion: string): void {
    this.#notifyGone(this.own.reached(resourceVersion, (key) => this.#objects.has(key)));
  }

  /** Announces the creation and the deletion at once: a reader of the object waits for its deletion. */
  #notifyGone(unobserved: readonly UnobservedObject<O>[]): void {
    for (const { key, last } of unobserved) {
      for (const listener of this.listeners) {
        listener.added(last, false);
        listener.deleted(key, last);
      }
    }
  }

  #candidates(namespace: string | undefined, index: CachedSelection<O>['index']): Iterable<string> {
    if (index) return this.#indexed(index.by).keys(index.is);
    const namespaces = this.#indexes.get(namespaceOf);
    if (namespace === undefined || !namespaces) return this.#objects.keys();
    return namespaces.keys(namespace);
  }

  /** An object for which an index throws is under no word, whether the watch delivered it or this program wrote it. */
  #isUnder({ by, is }: NonNullable<CachedSelection<O>['index']>, object: O): boolean {
    let isThere = false;
    this.#try(() => (isThere = this.#indexed(by).has(object, is)));
    return isThere;
  }

  #indexed(by: CacheIndex<O>): ObjectIndex<O> {
    const index = this.#indexes.get(by);
    if (index) return index;
    const { kind } = this.#options.kind;
    throw new Error(`the cache of ${kind} has no index ${by.name || 'of this function'}`);
  }

  #try(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

const namespaceOf = ({ metadata: { namespace } }: Cached): readonly string[] =>
  namespace === undefined ? [] : [namespace];
