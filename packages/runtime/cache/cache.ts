import type { Reader, UnreadableObject } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import { keyOf, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';
import { TimeSlice } from '../clock/pacing.ts';
import type { Outage } from '../watch/failures.ts';
import type { ReflectorEvent, Reflected, ReflectOptions } from '../watch/options.ts';
import { reflect } from '../watch/reflect.ts';
import {
  buildSelectionMatcher,
  type Cached,
  type CacheHandlers,
  type CacheIndex,
  type CachedSelection,
  type CacheSubscription,
  buildCacheTransform,
} from './cached.ts';
import { Listener, Store } from './store.ts';

/** The declaration of a cache. */
export interface CacheDeclaration<K extends Kind, O extends Cached> extends Reflected<K> {
  /**
   * Returns what is kept of an object, which comes without managedFields. Must be pure, and return its input or new
   * objects.
   */
  readonly project: (object: Live<K>) => O;
  /** @default - none */
  readonly indexes?: readonly CacheIndex<O>[] | undefined;
}

/** The dependencies and options of a cache. */
export interface CacheDeps extends Omit<ReflectOptions, 'signal'> {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly random: Random;
  /** Called with errors of handlers, projections and indexes. The cache continues. */
  readonly onError: (error: unknown) => void;
  /** Whether modifying a cached object throws. Slow, so intended for tests. @default false */
  readonly freeze?: boolean | undefined;
}

/** The objects of a kind in memory, with notifications about their changes. */
export interface SharedCache<O extends Cached = Live> {
  /**
   * Returns the object, never older than an earlier read of it: the state from the watch, or what this program wrote
   * since.
   */
  get(name: ObjectName): O | undefined;
  /**
   * Returns objects in any order.
   * @throws {Error} if the label selector is invalid, or the cache does not have the index
   */
  list(query?: CachedSelection<O>): readonly O[];
  /** Resolves when handlers know all objects of the server; rejects if the cache ends before. */
  readonly synced: Promise<void>;
  readonly isSynced: boolean;
  /** Adds an index, even if the cache is filled already. An existing index is not added again. */
  index(by: CacheIndex<O>): void;
  /**
   * Calls handlers for existing objects first, then for the events of the watch. Own writes are delivered with the
   * watch event.
   */
  subscribe(handlers: CacheHandlers<O>): CacheSubscription;
  /** Objects that exist and are nested too deep to be read. `get` and `list` return the last readable state, if any. */
  readonly unreadable: readonly UnreadableObject[];
  /** Since when lists and watches have failed; undefined while the cache is kept up to date. */
  readonly outage: Outage | undefined;
  /** Calls the listener at each failure of an outage, and with undefined at its end. */
  followOutages(listener: (outage: Outage | undefined) => void): OutageSubscription;
}

/** The calls of a listener of outages. */
export interface OutageSubscription {
  /** Ends the calls. */
  end(): void;
}

/** The objects of a kind as in the server, some milliseconds late, combined with the writes of this program. */
export class Cache<K extends Kind, O extends Cached> implements SharedCache<O> {
  readonly kind: K;
  readonly synced: Promise<void>;
  readonly #sync: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #declaration: CacheDeclaration<K, O>;
  readonly #deps: CacheDeps;
  readonly #store: Store<K, O>;
  readonly #selects: (object: Cached) => boolean | undefined;
  readonly #transform: (object: Live<K>) => O;
  readonly #ended = new AbortController();
  readonly #outageListeners = new Set<(outage: Outage | undefined) => void>();
  #outage: Outage | undefined;

  /** @throws {Error} if the label selector is invalid */
  constructor(declaration: CacheDeclaration<K, O>, deps: CacheDeps) {
    const { kind, project, selection = {}, indexes = [] } = declaration;
    const { freeze = false, onError } = deps;
    this.kind = kind;
    this.#declaration = declaration;
    this.#deps = deps;
    this.#selects = buildSelectionMatcher(selection);
    this.#transform = buildCacheTransform(kind, project, { freeze });
    const options = { kind, transform: this.#transform, indexes, onError };
    this.#store = new Store(options, () => this.#sync.resolve());
    this.synced = this.#sync.promise;
    this.synced.catch(() => undefined);
  }

  get isSynced(): boolean {
    return this.#store.isListed;
  }

  get size(): number {
    return this.#store.size;
  }

  /** Fills the cache and keeps it up to date until the signal aborts. May be called once. Rejects as `reflect` does. */
  async run(signal: AbortSignal): Promise<void> {
    const { reader, observe, ...options } = this.#deps;
    const follow = (event: ReflectorEvent): void => {
      this.#updateOutage(event);
      observe?.(event);
    };
    try {
      const all = { ...options, observe: follow, signal };
      await reflect(reader, this.#declaration, this.#store, all);
      this.#end(new Error(`the cache of ${this.kind.kind} has ended`));
    } catch (error) {
      this.#end(error);
      throw error;
    }
  }

  get unreadable(): readonly UnreadableObject[] {
    return [...this.#store.listUnreadable()];
  }

  get outage(): Outage | undefined {
    return this.#outage;
  }

  followOutages(listener: (outage: Outage | undefined) => void): OutageSubscription {
    const own = (outage: Outage | undefined): void => listener(outage);
    this.#outageListeners.add(own);
    return { end: () => void this.#outageListeners.delete(own) };
  }

  get(name: ObjectName): O | undefined {
    return this.#store.get(keyOf(name));
  }

  list(query: CachedSelection<O> = {}): readonly O[] {
    return this.#store.list(query);
  }

  index(by: CacheIndex<O>): void {
    this.#store.index(by);
  }

  subscribe(handlers: CacheHandlers<O>): CacheSubscription {
    const store = this.#store;
    const listener: Listener<O> = new Listener(handlers, store.keys(), {
      onError: this.#deps.onError,
      onEnd: () => store.listeners.delete(listener),
    });
    store.listeners.add(listener);
    void this.#catchUp(listener);
    return listener;
  }

  /** Records the server's answer to a write of this program. Reads see it until the watch delivers it. */
  written(live: Live<K>): void {
    const key = keyOf(live.metadata);
    const now = this.#store.get(key);
    const isSelected = this.#selects(live);
    if (isSelected === undefined && !now) return;
    try {
      const object = isSelected === false ? undefined : this.#transform(live);
      this.#store.own.recordWrite(key, live.metadata, object, now);
    } catch (error) {
      this.#deps.onError(error);
    }
  }

  /**
   * Records that the server accepted a deletion by this program. Reads do not see the object until the watch reports
   * that it is gone or waits for its finalizers.
   */
  deleted(name: ObjectName, uid: string): void {
    const key = keyOf(name);
    const now = this.#store.get(key);
    if (now?.metadata.uid === uid) this.#store.own.recordDeletion(key, now);
  }

  #updateOutage(event: ReflectorEvent): void {
    if (event.type !== 'failed' && event.type !== 'recovered') return;
    this.#outage = event.type === 'failed' ? event.outage : undefined;
    for (const listener of this.#outageListeners) {
      try {
        listener(this.#outage);
      } catch (error) {
        this.#deps.onError(error);
      }
    }
  }

  async #catchUp(listener: Listener<O>): Promise<void> {
    const slice = new TimeSlice(this.#deps.clock, this.#ended.signal);
    try {
      this.#ended.signal.throwIfAborted();
      await listener.catchUp((key) => this.#store.getObserved(key), slice);
      if (this.isSynced) listener.sync();
    } catch (error) {
      listener.end(error);
    }
  }

  #end(reason: unknown): void {
    this.#sync.reject(reason);
    this.#ended.abort(reason);
    for (const listener of this.#store.listeners) listener.end(reason);
  }
}
