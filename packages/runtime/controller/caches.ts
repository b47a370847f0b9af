import type { SharedCache } from '../cache/cache.ts';
import type { CacheLease } from '../cache/cache-set.ts';
import type { CachedSelection } from '../cache/cached.ts';
import type { Selection, UnreadableObject } from '../client/client.ts';
import type { Outage } from '../watch/failures.ts';
import { controllerUid } from './ownership.ts';
import { resourceOf, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';

export interface CacheOptions {
  readonly selection: Selection;
  /** Only apiVersion, kind and metadata. */
  readonly metadataOnly: boolean;
  /** Returns what is kept of an object. @default - all but managedFields */
  readonly project?: ((object: Live) => Live) | undefined;
}

/** Provides controllers with caches, and shares equal ones. */
export interface Caches {
  open(kind: Kind, options: CacheOptions): CacheLease;
  /** Records the server's answer to an own write. All caches show it before a watch delivers it. */
  written(kind: Kind, object: Live): void;
  /** Records a deletion by this program. Reads no longer return the object. */
  deleted(kind: Kind, name: ObjectName, uid: string): void;
}

/** The objects that a reconcile reads from memory: the kinds that its controller watches. */
export interface CacheView<Watched extends Kind = Kind> {
  /** Returns the state that the watch delivered or this controller wrote since; undefined if it does not exist. */
  get<K extends Watched>(kind: K, name: ObjectName): Live<K> | undefined;
  /** Returns objects in no particular order. An index is built at its first use. */
  list<K extends Watched>(kind: K, selection?: CachedSelection<Live<K>>): readonly Live<K>[];
  /**
   * Whether all existing objects have been read. False only for kinds without which the controller starts; reads return
   * none of their objects until then.
   */
  isRead(kind: Watched): boolean;
  /**
   * Since when and why the kind could not be listed or watched, so that reads may be outdated. Undefined while the
   * cache is up to date.
   */
  outageOf(kind: Watched): Outage | undefined;
  /**
   * Objects of the kind that are nested too deep to be read: `get` and `list` return their last readable state, if any.
   */
  unreadableOf(kind: Watched): readonly UnreadableObject[];
}

/** A resource that could not be listed or watched for a while. */
export interface ResourceOutage {
  /** `pods`, `deployments.apps`. */
  readonly resource: string;
  readonly outage: Outage;
}

/** How a controller depends on the cache of a kind. */
interface CacheRequirement {
  /** Whether the controller starts without it. */
  readonly isOptional?: boolean | undefined;
  /** Milliseconds of failures after which the controller starts without it. */
  readonly startsWithoutAfter?: number | undefined;
}

/** The caches of a controller, by its kinds. */
export class WatchedCaches {
  readonly #controller: string;
  readonly #opened = new Map<string, CacheLease & CacheRequirement>();

  constructor(
    controller: string,
    kinds: readonly (CacheOptions & CacheRequirement & { readonly kind: Kind })[],
    caches: Caches,
  ) {
    this.#controller = controller;
    for (const { kind, isOptional, startsWithoutAfter, ...options } of kinds) {
      const { cache, release } = caches.open(kind, options);
      this.#opened.set(resourceOf(kind), { cache, release, isOptional, startsWithoutAfter });
    }
  }

  /** @throws {Error} for a kind that the controller does not watch */
  cacheFor(kind: Kind): SharedCache {
    const opened = this.#opened.get(resourceOf(kind));
    if (opened) return opened.cache;
    throw new Error(
      `${this.#controller} must watch ${resourceOf(kind)} to read it from a cache: add it to owns or watches`,
    );
  }

  /** Returns the objects whose controller reference has the uid. */
  controlledBy<K extends Kind>(kind: K, uid: string): readonly Live<K>[] {
    return this.view.list(kind, { index: { by: controllerUid, is: uid } });
  }

  /** The same caches with types: the cache of a kind contains objects of that kind. */
  get view(): CacheView {
    return {
      get: <K extends Kind>(kind: K, name: ObjectName) =>
        this.cacheFor(kind).get(name) as Live<K> | undefined,
      list: <K extends Kind>(kind: K, selection?: CachedSelection<Live<K>>) => {
        const cache = this.cacheFor(kind);
        const cachedSelection = selection as CachedSelection | undefined;
        if (cachedSelection?.index) cache.index(cachedSelection.index.by);
        return cache.list(cachedSelection) as readonly Live<K>[];
      },
      isRead: (kind) => this.cacheFor(kind).isSynced,
      outageOf: (kind) => this.cacheFor(kind).outage,
      unreadableOf: (kind) => this.cacheFor(kind).unreadable,
    };
  }

  find(kind: Kind, name: ObjectName): Live | undefined {
    return this.#opened.get(resourceOf(kind))?.cache.get(name);
  }

  /** Resolves when the controller can start: all caches are synced, except those without which it starts. */
  async waitUntilSynced(): Promise<void> {
    await Promise.all(
      this.#required.map(([, { cache, startsWithoutAfter }]) =>
        startsWithoutAfter === undefined
          ? cache.synced
          : waitUntilSyncedOrFailing(cache, startsWithoutAfter),
      ),
    );
  }

  /** Resolves when the optional caches are synced. */
  async waitForOptional(): Promise<void> {
    const optional = [...this.#opened.values()].filter(({ isOptional }) => isOptional);
    await Promise.all(optional.map(({ cache }) => cache.synced));
  }

  /** Required resources that are not read completely yet. */
  get unread(): readonly string[] {
    return this.#required.flatMap(([resource, { cache }]) => (cache.isSynced ? [] : [resource]));
  }

  /** Required resources that are not up to date. */
  get outages(): readonly ResourceOutage[] {
    return this.#required.flatMap(([resource, { cache }]) =>
      cache.outage ? [{ resource, outage: cache.outage }] : [],
    );
  }

  get #required(): readonly (readonly [resource: string, CacheLease & CacheRequirement])[] {
    return [...this.#opened].filter(([, { isOptional }]) => !isOptional);
  }

  close(): void {
    for (const { release } of this.#opened.values()) void release();
    this.#opened.clear();
  }
}

/** Resolves when the cache is synced, or has failed for so many milliseconds. */
function waitUntilSyncedOrFailing(cache: SharedCache, milliseconds: number): Promise<void> {
  const failing = new Promise<void>((resolve) => {
    const following = cache.followOutages((outage) => {
      if (outage === undefined || outage.until - outage.since < milliseconds) return;
      following.end();
      resolve();
    });
  });
  return Promise.race([cache.synced, failing]);
}
