import type { CachedSelection, CacheHandlers, CacheIndex } from '../cache/cached.ts';
import type { Selection, UnreadableObject } from '../client/client.ts';
import type { Outage } from '../watch/reflector-event.ts';
import { controllerUid } from './ownership.ts';
import { resourceOf, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';

/** What a controller asks of the cache of a kind. */
export interface KindCache {
  /** Resolves when all that was there has been read; rejects when the cache ends before. */
  readonly synced: Promise<void>;
  readonly isSynced: boolean;
  get(name: ObjectName): Live | undefined;
  list(selection?: CachedSelection): readonly Live[];
  /** Makes an index, unless it is there. */
  index(by: CacheIndex): void;
  /** Tells what there is, in slices, then what happens, until `end`. */
  subscribe(handlers: CacheHandlers): { end(): void };
  /** What is there and cannot be read. */
  readonly unreadable: readonly UnreadableObject[];
  /** Since when lists and watches have failed; undefined while the cache is kept up to date. */
  readonly outage: Outage | undefined;
  /** Tells of each failure of an outage, and of its end with undefined, until `end`. */
  followOutages(listener: (outage: Outage | undefined) => void): { end(): void };
}

/** A cache that is open until it is closed; the last one to close it ends its watch. */
export interface OpenedCache {
  readonly cache: KindCache;
  close(): void;
}

export interface CacheOptions {
  readonly selection: Selection;
  /** Only apiVersion, kind and metadata. */
  readonly isMetadataOnly: boolean;
  /** What is kept of an object. @default - all but managedFields */
  readonly project?: ((object: Live) => Live) | undefined;
}

/** Where controllers get caches; who wishes for the same, shares one. */
export interface Caches {
  open(kind: Kind, wish: CacheOptions): OpenedCache;
  /** Our own write, as the server answered: reads of all caches see it before a watch tells of it. */
  written(kind: Kind, object: Live): void;
  /** The server deleted the object, as we told it: reads no longer see it. */
  deleted(kind: Kind, name: ObjectName, uid: string): void;
}

/** What a reconcile reads: the kinds that its controller watches, from memory. */
export interface CacheView<Watched extends Kind = Kind> {
  /** As the watch has told it, or as this controller wrote it since; undefined where it is not there. */
  get<K extends Watched>(kind: K, name: ObjectName): Live<K> | undefined;
  /** In no order. An index is made when it is first asked for. */
  list<K extends Watched>(kind: K, selection?: CachedSelection<Live<K>>): readonly Live<K>[];
  /**
   * Whether all that was there has been read; false only of kinds without which the controller starts, of which
   * nothing is told until then.
   */
  isRead(kind: Watched): boolean;
  /**
   * Since when the kind could not be listed or watched, and why: what there is may differ from what is told here.
   * Undefined while it is read.
   */
  outageOf(kind: Watched): Outage | undefined;
  /**
   * Objects of the kind that are nested too deep to be read: `get` and `list` have what was read of them before, if
   * anything.
   */
  unreadableOf(kind: Watched): readonly UnreadableObject[];
}

/** A resource that could not be listed or watched for a while. */
export interface ResourceOutage {
  /** `pods`, `deployments.apps`. */
  readonly resource: string;
  readonly outage: Outage;
}

/** The caches of a controller, by its kinds. */
export class WatchedCaches {
  readonly #controller: string;
  readonly #opened = new Map<string, OpenedCache>();
  readonly #optional = new Set<string>();
  /** Milliseconds of failures after which the controller starts without a resource. */
  readonly #patience = new Map<string, number>();

  constructor(
    controller: string,
    kinds: readonly (CacheOptions & {
      readonly kind: Kind;
      readonly isOptional?: boolean;
      readonly startsWithoutAfter?: number | undefined;
    })[],
    caches: Caches,
  ) {
    this.#controller = controller;
    for (const { kind, isOptional = false, startsWithoutAfter, ...wish } of kinds) {
      const resource = resourceOf(kind);
      this.#opened.set(resource, caches.open(kind, wish));
      if (isOptional) this.#optional.add(resource);
      if (startsWithoutAfter !== undefined) this.#patience.set(resource, startsWithoutAfter);
    }
  }

  /** @throws {Error} for a kind that the controller does not watch */
  cacheFor(kind: Kind): KindCache {
    const opened = this.#opened.get(resourceOf(kind));
    if (opened) return opened.cache;
    throw new Error(
      `${this.#controller} must watch ${resourceOf(kind)} to read it from a cache: add it to owns or watches`,
    );
  }

  /** The objects whose controller has the uid. */
  controlledBy<K extends Kind>(kind: K, uid: string): readonly Live<K>[] {
    return this.view.list(kind, { index: { by: controllerUid, is: uid } });
  }

  /** The same, typed by kinds: what lies in the cache of a kind is of it. */
  get view(): CacheView {
    return {
      get: <K extends Kind>(kind: K, name: ObjectName) =>
        this.cacheFor(kind).get(name) as Live<K> | undefined,
      list: <K extends Kind>(kind: K, selection?: CachedSelection<Live<K>>) => {
        const cache = this.cacheFor(kind);
        const asked = selection as CachedSelection | undefined;
        if (asked?.index) cache.index(asked.index.by);
        return cache.list(asked) as readonly Live<K>[];
      },
      isRead: (kind) => this.cacheFor(kind).isSynced,
      outageOf: (kind) => this.cacheFor(kind).outage,
      unreadableOf: (kind) => this.cacheFor(kind).unreadable,
    };
  }

  /** What is known of the object, if anything. */
  find(kind: Kind, name: ObjectName): Live | undefined {
    return this.#opened.get(resourceOf(kind))?.cache.get(name);
  }

  /** Resolves when the controller can start: all of them are synced, but for those that it starts without. */
  get synced(): Promise<void> {
    const needed = this.#needed.map(([resource, { cache }]) => {
      const patience = this.#patience.get(resource);
      return patience === undefined ? cache.synced : waitUntilSyncedOrFailing(cache, patience);
    });
    return Promise.all(needed).then(() => undefined);
  }

  /** Resolves when the optional ones are synced too. */
  get allSynced(): Promise<void> {
    const optional = [...this.#opened].filter(([resource]) => this.#optional.has(resource));
    const synced = [this.synced, ...optional.map(([, { cache }]) => cache.synced)];
    return Promise.all(synced).then(() => undefined);
  }

  /** Resources that are not optional, and not read whole yet. */
  get unread(): readonly string[] {
    return this.#needed.flatMap(([resource, { cache }]) => (cache.isSynced ? [] : [resource]));
  }

  /** Resources that are not optional, and not kept up to date. */
  get outages(): readonly ResourceOutage[] {
    return this.#needed.flatMap(
      ([
        resource,
        {
          cache: { outage },
        },
      ]) => (outage ? [{ resource, outage }] : []),
    );
  }

  get #needed(): readonly (readonly [resource: string, OpenedCache])[] {
    return [...this.#opened].filter(([resource]) => !this.#optional.has(resource));
  }

  close(): void {
    for (const { close } of this.#opened.values()) close();
    this.#opened.clear();
  }
}

/** Resolves when the cache is synced, or has failed for so many milliseconds. */
function waitUntilSyncedOrFailing(cache: KindCache, milliseconds: number): Promise<void> {
  const failing = new Promise<void>((resolve) => {
    const following = cache.followOutages((outage) => {
      if (outage === undefined || outage.until - outage.since < milliseconds) return;
      following.end();
      resolve();
    });
  });
  return Promise.race([cache.synced, failing]);
}
