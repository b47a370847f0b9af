import { resourceOf, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';
import type { Happening } from '../watch/happening.ts';
import type { Reflected } from '../watch/options.ts';
import { Cache, type CacheDeclaration, type CacheSurroundings } from './cache.ts';
import type { Cached, Index } from './cached.ts';

/** What there is of an object of which only metadata is watched. */
export interface ObjectHeader extends Cached {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A use of a cache that others may use too. */
export interface CacheLease<K extends Kind, O extends Cached> {
  readonly cache: Cache<K, O>;
  /** The last user's ends the cache. Resolves when nothing of it is left. */
  release(): Promise<void>;
}

export interface CacheSetSurroundings extends Omit<CacheSurroundings, 'onError' | 'observe'> {
  readonly onError: (error: unknown, kind: Kind) => void;
  /** @default - nobody is told */
  readonly observe?: ((happening: Happening, kind: Kind) => void) | undefined;
}

/** Any of what `open` takes: its functions get what the kind and the projection make. */
interface Wanted extends Reflected<Kind> {
  readonly project?: ((object: never) => Cached) | undefined;
  readonly indexes?: readonly Index<never>[] | undefined;
}

interface Entry {
  readonly cache: Cache<Kind, Cached>;
  readonly project: unknown;
  readonly stop: AbortController;
  users: number;
  done: Promise<void>;
}

const whole = (object: Live): Live => object;

/** An own write, which comes whole, must not show more than the watch does. */
const header = ({ apiVersion, kind, metadata }: Live): ObjectHeader => ({
  apiVersion,
  kind,
  metadata,
});

/** The caches of a program: of each kind and selection one, however many controllers use it. */
export class CacheSet {
  readonly #surroundings: CacheSetSurroundings;
  readonly #entries = new Map<string, Entry>();
  #start: ((entry: Entry) => void) | undefined;

  constructor(surroundings: CacheSetSurroundings) {
    this.#surroundings = surroundings;
  }

  /**
   * The cache of a kind and a selection, which is begun for the first user, at once or with `run`.
   * Indexes are added to those of other users.
   * @throws {Error} where others use it with another projection
   */
  open<K extends Kind>(
    wanted: Reflected<K> & {
      readonly metadataOnly: true;
      readonly project?: undefined;
      readonly indexes?: readonly Index<ObjectHeader>[];
    },
  ): CacheLease<K, ObjectHeader>;
  open<K extends Kind>(
    wanted: Reflected<K> & {
      readonly metadataOnly?: false;
      readonly project?: undefined;
      readonly indexes?: readonly Index<Live<K>>[];
    },
  ): CacheLease<K, Live<K>>;
  open<K extends Kind, O extends Cached>(
    wanted: CacheDeclaration<K, O> & { readonly metadataOnly?: false },
  ): CacheLease<K, O>;
  open(wanted: Wanted): unknown {
    return this.#lease(wanted);
  }

  #lease(wanted: Wanted): CacheLease<Kind, Cached> {
    const key = keyOfUse(wanted);
    const entry = this.#entries.get(key) ?? this.#begin(key, wanted);
    if (entry.project !== wanted.project) {
      throw new Error(
        `the cache of ${resourceOf(wanted.kind)} is used with another projection: one function must keep what all users read`,
      );
    }
    for (const by of wanted.indexes ?? []) entry.cache.index(by as Index<Cached>);
    entry.users += 1;
    let released: Promise<void> | undefined;
    return { cache: entry.cache, release: () => (released ??= this.#leave(key, entry)) };
  }

  /** Resolves when all caches that are open now are synced. */
  async synced(): Promise<void> {
    await Promise.all(Array.from(this.#entries.values(), ({ cache }) => cache.synced));
  }

  /** How many objects each cache holds. */
  *sizes(): Generator<{ readonly kind: Kind; readonly objects: number }> {
    for (const { cache } of this.#entries.values()) {
      yield { kind: cache.kind, objects: cache.size };
    }
  }

  /** `Cache.written` of all caches of the kind. */
  written<K extends Kind>(kind: K, live: Live<K>): void {
    for (const cache of this.#of(kind)) cache.written(live);
  }

  /** `Cache.deleted` of all caches of the kind. */
  deleted(kind: Kind, name: ObjectName, uid: string): void {
    for (const cache of this.#of(kind)) cache.deleted(name, uid);
  }

  /**
   * Fills the caches and keeps them so until the signal aborts: then it resolves, when all have ended.
   * Rejects, and ends all, when one of them fails as `reflect` does. Once.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    const started = new Set<Entry>();
    this.#start = (entry) => {
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
      this.#start = undefined;
      for (const entry of started) entry.stop.abort(signal.reason);
      await Promise.all(Array.from(started, ({ done }) => done));
    }
  }

  #leave(key: string, entry: Entry): Promise<void> {
    entry.users -= 1;
    if (entry.users > 0) return Promise.resolve();
    this.#entries.delete(key);
    entry.stop.abort(new Error(`nobody uses the cache of ${entry.cache.kind.kind} any more`));
    return entry.done;
  }

  #begin(key: string, wanted: Wanted): Entry {
    const { kind, selection, metadataOnly } = wanted;
    const project = wanted.project as ((object: Live) => Cached) | undefined;
    const { onError, observe, ...rest } = this.#surroundings;
    const cache = new Cache<Kind, Cached>(
      { kind, selection, metadataOnly, project: project ?? (metadataOnly ? header : whole) },
      {
        ...rest,
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

  *#of(kind: Kind): Generator<Cache<Kind, Cached>> {
    for (const { cache } of this.#entries.values()) {
      const isSame = resourceOf(cache.kind) === resourceOf(kind);
      if (isSame && cache.kind.version === kind.version) yield cache;
    }
  }
}

function keyOfUse({ kind, selection, metadataOnly }: Wanted): string {
  const { namespace, labelSelector, fieldSelector } = selection ?? {};
  const parts = [resourceOf(kind), kind.version, namespace, labelSelector, fieldSelector];
  return JSON.stringify([...parts.map((part) => part ?? null), metadataOnly ?? false]);
}
