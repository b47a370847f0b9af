import type { Reader, UnreadableObject } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import { keyOf, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';
import { TimeSlice } from '../watch/time-slice.ts';
import type { ReflectorEvent, Outage } from '../watch/reflector-event.ts';
import type { ListStreams } from '../watch/list-streams.ts';
import type { Reflected } from '../watch/options.ts';
import { reflect } from '../watch/reflect.ts';
import type {
  Cached,
  CacheHandlers,
  CacheIndex,
  CachedSelection,
  CacheSubscription,
} from './cached.ts';
import { buildCacheTransform } from './cache-transform.ts';
import { Listener } from './listener.ts';
import { buildSelectionMatcher } from './selected.ts';
import { Store } from './store.ts';

/** What a cache holds. */
export interface CacheDeclaration<K extends Kind, O extends Cached> extends Reflected<K> {
  /** What is kept of an object, which comes without managedFields. Pure; gives what it is given or new objects. */
  readonly project: (object: Live<K>) => O;
  /** @default - none */
  readonly indexes?: readonly CacheIndex<O>[] | undefined;
}

/** What a cache works with. */
export interface CacheDeps {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly random: Random;
  /** What handlers, projections and indexes threw. The cache goes on. */
  readonly onError: (error: unknown) => void;
  /** @default - nobody is told */
  readonly observe?: ((happening: ReflectorEvent) => void) | undefined;
  /** Whether a reader that changes an object gets an error. Costs time and is for tests. @default false */
  readonly freeze?: boolean | undefined;
  /** What is known of the server by other caches of it. @default - nothing */
  readonly streams?: ListStreams | undefined;
  /** Objects a page of a list. @default 500 */
  readonly pageSize?: number | undefined;
  /** Milliseconds without a word after which a watch counts as dead. @default 150,000 */
  readonly quiet?: number | undefined;
}

/** The objects of a kind in memory, and what happens to them. */
export interface SharedCache<O extends Cached = Live> {
  /**
   * The object, no older than what was read of it before: as the watch told it, or as this program
   * wrote it since.
   */
  get(name: ObjectName): O | undefined;
  /**
   * In any order.
   * @throws {Error} for a label selector that is none, and an index that the cache does not have
   */
  list(query?: CachedSelection<O>): readonly O[];
  /** Resolves when all that is on the server has been told; rejects when the cache ends before. */
  readonly synced: Promise<void>;
  readonly isSynced: boolean;
  /** Makes an index, though the cache may be filled already. An index that it has is not made again. */
  index(by: CacheIndex<O>): void;
  /** Tells handlers what there is, then what the watch tells. Own writes are told when it tells them. */
  subscribe(handlers: CacheHandlers<O>): CacheSubscription;
  /** What is there and is nested too deep to be read. `get` and `list` have what was read of it before, if anything. */
  readonly unreadable: readonly UnreadableObject[];
  /** Since when lists and watches have failed; undefined while the cache is kept up to date. */
  readonly outage: Outage | undefined;
  /** Tells of each failure of an outage, and of its end with undefined. */
  followOutages(listener: (outage: Outage | undefined) => void): CacheFollowing;
}

/** A listener that is told until `end`. */
export interface CacheFollowing {
  end(): void;
}

/**
 * The objects of a kind as they are on the server, some milliseconds late, and with what this program
 * wrote itself.
 */
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

  /** @throws {Error} for a label selector that is none */
  constructor(declaration: CacheDeclaration<K, O>, surroundings: CacheDeps) {
    const { kind, project, selection = {}, indexes = [] } = declaration;
    const { freeze = false, onError } = surroundings;
    this.kind = kind;
    this.#declaration = declaration;
    this.#deps = surroundings;
    this.#selects = buildSelectionMatcher(selection);
    this.#transform = buildCacheTransform(kind, project, freeze);
    const options = { kind, door: this.#transform, indexes, onError };
    this.#store = new Store(options, () => this.#sync.resolve());
    this.synced = this.#sync.promise;
    this.synced.catch(() => undefined);
  }

  get isSynced(): boolean {
    return this.#store.isListed;
  }

  /** How many objects the watch has told of that are there. */
  get size(): number {
    return this.#store.size;
  }

  /** Fills the cache and keeps it so until the signal aborts. Once. Rejects as `reflect` does. */
  async run(signal: AbortSignal): Promise<void> {
    const { reader, observe, ...options } = this.#deps;
    const follow = (happening: ReflectorEvent): void => {
      this.#updateOutage(happening);
      observe?.(happening);
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

  followOutages(listener: (outage: Outage | undefined) => void): CacheFollowing {
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

  /** What the server answered to a write of this program: reads see it until the watch has told it. */
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
   * The server accepted that this program deletes the object: reads do not see it until the watch
   * tells that it is gone, or that it waits for its finalizers.
   */
  deleted(name: ObjectName, uid: string): void {
    const key = keyOf(name);
    const now = this.#store.get(key);
    if (now?.metadata.uid === uid) this.#store.own.recordDeletion(key, now);
  }

  #updateOutage(happening: ReflectorEvent): void {
    if (happening.type !== 'failed' && happening.type !== 'recovered') return;
    this.#outage = happening.type === 'failed' ? happening.outage : undefined;
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
