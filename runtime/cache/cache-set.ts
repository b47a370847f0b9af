import type { Reader } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { resourceOf, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';
import type { ReflectorEvent, Outage } from '../watch/reflector-event.ts';
import { ListStreams } from '../watch/list-streams.ts';
import type { Reflected } from '../watch/options.ts';
import { Cache, type CacheDeclaration, type SharedCache } from './cache.ts';
import type { Cached, CacheIndex } from './cached.ts';

/** What there is of an object of which only metadata is watched. */
export interface ObjectHeader<Name extends string = string> extends Cached {
  readonly apiVersion: string;
  readonly kind: Name;
}

/** A use of a cache that others may use too. */
export interface CacheLease<O extends Cached = Live> {
  readonly cache: SharedCache<O>;
  /** The last user's ends the cache. Resolves when nothing of it is left. */
  release(): Promise<void>;
}

/** Where caches read, and whom they tell what goes wrong. */
export interface CacheSetProps {
  /** A client: of what it may do, list and watch are needed. */
  readonly reader: Reader;
  /** What handlers, projections and indexes threw. The cache goes on. */
  readonly onError: (error: unknown, kind: Kind) => void;
  /** What becomes of lists and watches, which go on by themselves. @default - nobody is told */
  readonly observe?: ((happening: ReflectorEvent, kind: Kind) => void) | undefined;
  /** Whether a reader that changes an object gets an error. Costs time and is for tests. @default false */
  readonly freeze?: boolean | undefined;
  /** Objects a page of a list, where the server cannot stream it. @default 500 */
  readonly pageSize?: number | undefined;
  /** Milliseconds without a word after which a watch counts as dead. @default 150,000 */
  readonly quiet?: number | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

/** Any of what `open` takes: its functions get what the kind and the projection make. */
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

/** An own write, which comes whole, must not show more than the watch does. */
const pickHeader = ({ apiVersion, kind, metadata }: Live): ObjectHeader => ({
  apiVersion,
  kind,
  metadata,
});

/**
 * The caches of a program, which a `Manager` has by itself: of each kind and selection one, however many
 * use it. Each holds what is on the server, some milliseconds late, over whatever breaks in between.
 *
 * @example
 * ```ts
 * import { CacheSet, core, WorkQueue, type Client, type Live } from 'tenantry/runtime';
 *
 * type Pod = Live<typeof core.Pod>;
 * const nodeOf = ({ spec }: Pod): readonly string[] => [spec?.nodeName ?? ''];
 *
 * // Counts the pods of a node whenever one of them comes, moves or goes.
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
  /** Undefined before the run; once that is over, what is opened ends at once. */
  #start: ((entry: Entry) => void) | undefined;

  constructor(props: CacheSetProps) {
    this.#props = props;
  }

  /**
   * The cache of a kind and a selection, which is begun for the first user, at once or with `run`; after
   * that it has ended from the start.
   * Indexes are added to those of other users.
   * @throws {Error} where others use it with another projection
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

  /** Resolves when all caches that are open now are synced. */
  async synced(): Promise<void> {
    await Promise.all(Array.from(this.#entries.values(), ({ cache }) => cache.synced));
  }

  /** How many objects each cache holds, how many it cannot read, and since when it is not kept up to date. */
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
   * What the server answered to a write of this program: all caches of the kind show it until their
   * watches have told it, or what is newer.
   */
  written<K extends Kind>(kind: K, live: Live<K>): void {
    for (const cache of this.#findCaches(kind)) cache.written(live);
  }

  /**
   * The server accepted that this program deletes the object: no cache of the kind shows it, until its watch
   * tells that it is gone, or that it waits for its finalizers.
   */
  deleted(kind: Kind, name: ObjectName, uid: string): void {
    for (const cache of this.#findCaches(kind)) cache.deleted(name, uid);
  }

  /**
   * Fills the caches and keeps them so until the signal aborts: then it resolves, when all have ended.
   * Rejects, and ends all, when one of them fails as `reflect` does. Once.
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
    const ended = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (const entry of this.#entries.values()) this.#start(entry);
    try {
      await Promise.race([ended, failed]);
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
    // Who waits for one that never ran hears that it has ended.
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
        observe: observe && ((happening) => observe(happening, kind)),
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
