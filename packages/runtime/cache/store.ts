import type { UnreadableObject } from '../client/client.ts';
import type { Kind, Live } from '../kinds/kind.ts';
import type { Sink } from '../watch/options.ts';
import {
  buildSelectionMatcher,
  type Cached,
  type CacheIndex,
  type CachedSelection,
  type CacheHandlers,
  type CacheSubscription,
  type CacheTransform,
} from './cached.ts';
import { OwnWrites, type UnobservedObject } from './own-writes.ts';
import type { TimeSlice } from '../clock/pacing.ts';

interface StoreOptions<K extends Kind, O extends Cached> {
  readonly kind: K;
  readonly transform: CacheTransform<K, O>;
  readonly indexes: readonly CacheIndex<O>[];
  readonly onError: (error: unknown) => void;
}

/** The objects that the watch has delivered, by key, overlaid with the later writes of this program. */
export class Store<K extends Kind, O extends Cached> implements Sink<K> {
  readonly own = new OwnWrites<O>();
  readonly listeners = new Set<Listener<O>>();
  readonly #objects = new Map<string, O>();
  /** Objects that could not be read. A stored state of one of them is outdated. */
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

  listUnreadable(): Iterable<UnreadableObject> {
    return this.#unreadable.values();
  }

  /** Includes the writes of this program. */
  get(key: string): O | undefined {
    const write = this.own.get(key);
    if (!write) return this.#objects.get(key);
    return write.type === 'written' ? write.object : undefined;
  }

  getObserved(key: string): O | undefined {
    return this.#objects.get(key);
  }

  list({ namespace, labelSelector, index }: CachedSelection<O>): O[] {
    const selects = buildSelectionMatcher({ namespace, labelSelector });
    const found: O[] = [];
    const isAll = namespace === undefined && labelSelector === undefined;
    for (const key of this.#listCandidates(namespace, index)) {
      const object = this.own.get(key) ? undefined : this.#objects.get(key);
      if (object && (isAll || selects(object))) found.push(object);
    }
    for (const [, write] of this.own.entries()) {
      if (write.type === 'hidden' || !selects(write.object)) continue;
      if (!index || this.#matchesIndex(index, write.object)) found.push(write.object);
    }
    return found;
  }

  index(by: CacheIndex<O>): void {
    if (this.#indexes.has(by)) return;
    const index = new ObjectIndex(by);
    this.#indexes.set(by, index);
    for (const [key, object] of this.#objects) this.#callSafely(() => index.add(key, object));
  }

  getMetadata(key: string): O['metadata'] | undefined {
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
    const object = this.#options.transform(live);
    const before = this.#objects.get(key);
    this.#unreadable.delete(key);
    this.#objects.set(key, object);
    this.own.put(key, object.metadata);
    for (const index of this.#indexes.values()) {
      if (before) this.#callSafely(() => index.remove(key, before));
      this.#callSafely(() => index.add(key, object));
    }
    for (const listener of this.listeners) {
      if (before) listener.changed(key, before, object);
      else listener.added(object, this.#isListed ? later : initial);
    }
  }

  drop(key: string, resourceVersion?: string): void {
    this.#unreadable.delete(key);
    const last = this.#objects.get(key);
    if (!last) return;
    this.#objects.delete(key);
    this.own.drop(key, last.metadata, resourceVersion);
    for (const index of this.#indexes.values()) this.#callSafely(() => index.remove(key, last));
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
        listener.added(last, later);
        listener.deleted(key, last);
      }
    }
  }

  #listCandidates(
    namespace: string | undefined,
    index: CachedSelection<O>['index'],
  ): Iterable<string> {
    if (index) return this.#getIndex(index.by).keys(index.is);
    const namespaces = this.#indexes.get(namespaceOf);
    if (namespace === undefined || !namespaces) return this.#objects.keys();
    return namespaces.keys(namespace);
  }

  /** An object for which an index throws matches no index value, whether the watch delivered it or this program wrote it. */
  #matchesIndex({ by, is }: NonNullable<CachedSelection<O>['index']>, object: O): boolean {
    let isMatch = false;
    this.#callSafely(() => (isMatch = this.#getIndex(by).has(object, is)));
    return isMatch;
  }

  #getIndex(by: CacheIndex<O>): ObjectIndex<O> {
    const index = this.#indexes.get(by);
    if (index) return index;
    const { kind } = this.#options.kind;
    throw new Error(`the cache of ${kind} has no index ${by.name || 'of this function'}`);
  }

  #callSafely(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

const namespaceOf = ({ metadata: { namespace } }: Cached): readonly string[] =>
  namespace === undefined ? [] : [namespace];

/** The keys of objects by the words of an index. */
class ObjectIndex<O extends Cached> {
  readonly #by: CacheIndex<O>;
  /** A single key of a word is stored without a set. */
  readonly #keys = new Map<string, string | Set<string>>();

  constructor(by: CacheIndex<O>) {
    this.#by = by;
  }

  has(object: O, word: string): boolean {
    return this.#by(object).includes(word);
  }

  keys(word: string): Iterable<string> {
    const keys = this.#keys.get(word);
    return typeof keys === 'string' ? [keys] : (keys ?? []);
  }

  add(key: string, object: O): void {
    for (const word of this.#by(object)) {
      const keys = this.#keys.get(word);
      if (keys === undefined) this.#keys.set(word, key);
      else if (typeof keys !== 'string') keys.add(key);
      else this.#keys.set(word, new Set([keys, key]));
    }
  }

  /** Removes what was added under this key with the same object. */
  remove(key: string, object: O): void {
    for (const word of this.#by(object)) {
      const keys = this.#keys.get(word);
      if (keys === key) this.#keys.delete(word);
      else if (typeof keys === 'object' && keys.delete(key) && keys.size === 0) {
        this.#keys.delete(word);
      }
    }
  }
}

interface Origin {
  readonly isInitial: boolean;
}

// Shared: there is one for each object.
const initial: Origin = { isInitial: true };
const later: Origin = { isInitial: false };

/**
 * Handlers of an existing cache. They are called for the existing objects first, then for changes. If an object changes
 * before its turn, the change is delivered like any other, after the state that existed before.
 */
export class Listener<O extends Cached> implements CacheSubscription {
  readonly synced: Promise<void>;
  readonly #handlers: CacheHandlers<O>;
  readonly #onError: (error: unknown) => void;
  readonly #end: () => void;
  readonly #sync: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Keys of initial objects that have not been delivered yet. */
  readonly #pendingKeys: Set<string>;
  #isCaughtUp = false;
  #hasEnded = false;

  constructor(
    handlers: CacheHandlers<O>,
    initialKeys: Iterable<string>,
    callbacks: { readonly onError: (error: unknown) => void; readonly onEnd: () => void },
  ) {
    this.#handlers = handlers;
    this.#pendingKeys = new Set(initialKeys);
    this.#onError = callbacks.onError;
    this.#end = callbacks.onEnd;
    this.synced = this.#sync.promise;
    // Avoids an unhandled rejection if nobody uses `synced`.
    this.synced.catch(() => undefined);
  }

  added(object: O, origin: Origin): void {
    this.#callHandler(() => this.#handlers.added?.(object, origin));
  }

  changed(key: string, before: O, now: O): void {
    if (this.#pendingKeys.delete(key)) this.added(before, initial);
    this.#callHandler(() => this.#handlers.changed?.(before, now));
  }

  deleted(key: string, last: O): void {
    if (this.#pendingKeys.delete(key)) this.added(last, initial);
    this.#callHandler(() => this.#handlers.deleted?.(last));
  }

  /** Delivers the initial objects, each in its current state. */
  async catchUp(get: (key: string) => O | undefined, slice: TimeSlice): Promise<void> {
    for (const key of this.#pendingKeys) {
      this.#pendingKeys.delete(key);
      const object = get(key);
      if (object) this.added(object, initial);
      if (slice.isOver) await slice.yieldToOthers();
    }
    this.#isCaughtUp = true;
  }

  /** The cache has delivered everything, and so have these handlers once they have caught up. */
  sync(): void {
    if (this.#isCaughtUp) this.#sync.resolve();
  }

  end(reason: unknown = new Error('the subscription has ended')): void {
    this.#hasEnded = true;
    this.#pendingKeys.clear();
    this.#sync.reject(reason);
    this.#end();
  }

  #callHandler(run: () => void): void {
    if (this.#hasEnded) return;
    try {
      run();
    } catch (error) {
      this.#onError(error);
    }
  }
}
