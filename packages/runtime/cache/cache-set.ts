import type { Reader } from '../client/client.ts';
import { waitForAbort, systemClock, type Clock, type Random } from '../clock/clock.ts';
import { resourceOf, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';
import type { Outage } from '../watch/failures.ts';
import { type ReflectorEvent, ListStreams, type Reflected } from '../watch/options.ts';
import { Cache, type CacheDeclaration, type SharedCache } from './cache.ts';
import type { Cached, CacheIndex } from './cached.ts';

/** An object of which only metadata is watched. */
export interface ObjectHeader<Name extends string = string> extends Cached {
  readonly apiVersion: string;
  readonly kind: Name;
}

/** The use of a cache that others may share. */
export interface CacheLease<O extends Cached = Live> {
  readonly cache: SharedCache<O>;
  /**
   * Ends the use. The last user ends the cache. Resolves when the use, and if it was the last one the cache, has ended.
   */
  release(): Promise<void>;
}

/** The dependencies and options of a `CacheSet`. */
export interface CacheSetProps {
  /** The client to read with. It needs list and watch. */
  readonly reader: Reader;
  /** Called with errors of handlers, projections and indexes. The cache continues. */
  readonly onError: (error: unknown, kind: Kind) => void;
  /** Called with events of lists and watches, which recover by themselves. @default - nothing is called */
  readonly observe?: ((event: ReflectorEvent, kind: Kind) => void) | undefined;
  /** Whether modifying a cached object throws. Slow, so intended for tests. @default false */
  readonly freeze?: boolean | undefined;
  /** Objects per page of a list, if the server cannot stream it. @default 500 */
  readonly pageSize?: number | undefined;
  /** Milliseconds without an event after which a watch counts as dead. @default 150,000 */
  readonly idleTimeout?: number | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

/** Any options of `open`, whose functions get the types of the kind and the projection. */
interface CacheRequest extends Reflected<Kind> {
  readonly project?: ((object: never) => Cached) | undefined;
  readonly indexes?: readonly CacheIndex<never>[] | undefined;
}

interface Entry {
  readonly cache: Cache<Kind, Cached>;
  readonly project: unknown;
  readonly stop: AbortController;
  users: number;
  done: Promise<void>;
}

const keepWhole = (object: Live): Live => object;

/** The answer to an own write is the whole object; it must not show more than the watch does. */
const pickHeader = ({ apiVersion, kind, metadata }: Live): ObjectHeader => ({
  apiVersion,
  kind,
  metadata,
});

/**
 * The caches of a program, one for each kind and selection, however many use it. A `Manager` has its own. Each cache
 * mirrors the server some milliseconds late and recovers from every failure in between.
 *
 * @example
 * ```ts
 * import { CacheSet, core, WorkQueue, type Client, type Live } from '@tenantry/runtime';
 *
 * type Pod = Live<typeof core.Pod>;
 * const nodeOf = ({ spec }: Pod): readonly string[] => [spec?.nodeName ?? ''];
 *
 * // Counts the pods of a node whenever one is added, moved or deleted.
 * export async function countPods(client: Client, signal: AbortSignal): Promise<void> {
 *   const caches = new CacheSet({ reader: client, onError: (error) => console.error(error) });
 *   const { cache: pods } = caches.open({ kind: core.Pod, indexes: [nodeOf] });
 *   const nodes = new WorkQueue();
 *   const add = (pod: Pod): void => nodeOf(pod).forEach((node) => nodes.add(node));
 *   pods.subscribe({ added: add, changed: (before, now) => [before, now].forEach(add), deleted: add });
 *   signal.addEventListener('abort', () => void nodes.close(), { once: true });
 *   const filled = caches.run(signal);
 *   await Promise.race([caches.synced(), filled]);
 *   for (let node; (node = await nodes.take()) !== undefined; nodes.done(node)) {
 *     console.log(node, pods.list({ index: { by: nodeOf, is: node } }).length);
 *   }
 *   await filled;
 * }
 * ```
 */
export class CacheSet {
  readonly #props: CacheSetProps;
  readonly #streams = new ListStreams();
  readonly #entries = new Map<string, Entry>();
  /** Undefined before the run. After the run, caches that are opened end at once. */
  #start: ((entry: Entry) => void) | undefined;

  constructor(props: CacheSetProps) {
    this.#props = props;
  }

  /**
   * Opens the cache of a kind and a selection. It starts for the first user, at once or with `run`; after the run it
   * has ended from the start. Indexes are added to those of other users.
   * @throws {Error} if others use the cache with another projection
   */
  open<K extends Kind>(
    wanted: Reflected<K> & {
      readonly metadataOnly: true;
      readonly project?: undefined;
      readonly indexes?: readonly CacheIndex<ObjectHeader<K['kind']>>[];
    },
  ): CacheLease<ObjectHeader<K['kind']>>;
  open<K extends Kind>(
    wanted: Reflected<K> & {
      readonly metadataOnly?: false;
      readonly project?: undefined;
      readonly indexes?: readonly CacheIndex<Live<K>>[];
    },
  ): CacheLease<Live<K>>;
  open<K extends Kind, O extends Cached>(wanted: CacheDeclaration<K, O>): CacheLease<O>;
  open(wanted: CacheRequest): unknown {
    return this.#lease(wanted);
  }

  #lease(wanted: CacheRequest): CacheLease<Cached> {
    const key = buildCacheKey(wanted);
    const entry = this.#entries.get(key) ?? this.#createEntry(key, wanted);
    if (entry.project !== wanted.project) {
      throw new Error(
        `the cache of ${resourceOf(wanted.kind)} is used with another projection: one function must keep what all users read`,
      );
    }
    for (const by of wanted.indexes ?? []) entry.cache.index(by as CacheIndex<Cached>);
    entry.users += 1;
    let released: Promise<void> | undefined;
    return { cache: entry.cache, release: () => (released ??= this.#releaseEntry(key, entry)) };
  }

  /** Resolves when all caches that are currently open are synced. */
  async synced(): Promise<void> {
    await Promise.all(Array.from(this.#entries.values(), ({ cache }) => cache.synced));
  }

  /** Yields the number of objects and of unreadable objects of each cache, and since when it is not up to date. */
  *sizes(): Generator<{
    readonly kind: Kind;
    readonly objects: number;
    readonly unreadable: number;
    readonly outage: Outage | undefined;
  }> {
    for (const { cache } of this.#entries.values()) {
      const { kind, size: objects, outage } = cache;
      yield { kind, objects, unreadable: cache.unreadable.length, outage };
    }
  }

  /**
   * Records the server's answer to a write of this program. All caches of the kind show it until their watches deliver
   * it or something newer.
   */
  written<K extends Kind>(kind: K, live: Live<K>): void {
    for (const cache of this.#findCaches(kind)) cache.written(live);
  }

  /**
   * Records that the server accepted a deletion by this program. Caches of the kind hide the object until their watch
   * reports that it is gone or waits for its finalizers.
   */
  deleted(kind: Kind, name: ObjectName, uid: string): void {
    for (const cache of this.#findCaches(kind)) cache.deleted(name, uid);
  }

  /**
   * Fills the caches and keeps them up to date until the signal aborts; then resolves once all have ended. Rejects, and
   * ends all, if one of them fails as `reflect` does. May be called once.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    const started = new Set<Entry>();
    let isOver = signal.aborted;
    this.#start = (entry) => {
      if (isOver) entry.stop.abort(signal.reason);
      started.add(entry);
      entry.done = entry.cache
        .run(entry.stop.signal)
        .catch(reject)
        .finally(() => started.delete(entry));
    };
    for (const entry of this.#entries.values()) this.#start(entry);
    try {
      await Promise.race([waitForAbort(signal), failed]);
    } finally {
      isOver = true;
      for (const entry of started) entry.stop.abort(signal.reason);
      await Promise.all(Array.from(started, ({ done }) => done));
    }
  }

  #releaseEntry(key: string, entry: Entry): Promise<void> {
    entry.users -= 1;
    if (entry.users > 0) return Promise.resolve();
    this.#entries.delete(key);
    entry.stop.abort(new Error(`nobody uses the cache of ${entry.cache.kind.kind} any more`));
    // Users that wait for a cache that never ran learn that it has ended.
    if (!this.#start) entry.done = entry.cache.run(entry.stop.signal);
    return entry.done;
  }

  #createEntry(key: string, wanted: CacheRequest): Entry {
    const { kind, selection, metadataOnly } = wanted;
    const project = wanted.project as ((object: Live) => Cached) | undefined;
    const { onError, observe, clock = systemClock, random = Math.random, ...rest } = this.#props;
    const cache = new Cache<Kind, Cached>(
      {
        kind,
        selection,
        metadataOnly,
        project: project ?? (metadataOnly ? pickHeader : keepWhole),
      },
      {
        ...rest,
        clock,
        random,
        streams: this.#streams,
        onError: (error) => onError(error, kind),
        observe: observe && ((event) => observe(event, kind)),
      },
    );
    const stop = new AbortController();
    const entry: Entry = { cache, project, stop, users: 0, done: Promise.resolve() };
    this.#entries.set(key, entry);
    this.#start?.(entry);
    return entry;
  }

  *#findCaches(kind: Kind): Generator<Cache<Kind, Cached>> {
    for (const { cache } of this.#entries.values()) {
      const isSame = resourceOf(cache.kind) === resourceOf(kind);
      if (isSame && cache.kind.version === kind.version) yield cache;
    }
  }
}

function buildCacheKey({ kind, selection, metadataOnly }: CacheRequest): string {
  const { namespace, labelSelector, fieldSelector } = selection ?? {};
  const parts = [resourceOf(kind), kind.version, namespace, labelSelector, fieldSelector];
  return JSON.stringify([...parts.map((part) => part ?? null), metadataOnly ?? false]);
}
