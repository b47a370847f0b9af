import type { Selection } from '../client/client.ts';
import { apiVersionOf, resourceOf, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';

/** What a cache tells of its objects, in the order in which it happened. */
export interface CacheHandlers<K extends Kind = Kind> {
  added(object: Live<K>): void;
  changed(old: Live<K>, object: Live<K>): void;
  deleted(object: Live<K>): void;
}

/** Which objects of a cache. */
export interface CachedSelection {
  /** @default - all */
  readonly namespace?: string | undefined;
  /** As kubectl writes it: `app=shop,tier!=db`. @default - all */
  readonly labelSelector?: string | undefined;
}

/** What a controller asks of the cache of a kind. */
export interface KindCache {
  /** Resolves when all that was there has been read. */
  readonly synced: Promise<void>;
  get(name: ObjectName): Live | undefined;
  list(selection?: CachedSelection): readonly Live[];
  /** Tells of what happens from now on, until what it returns is called. */
  handle(handlers: CacheHandlers): () => void;
  /** Our own write, as the server answered: reads see it before the watch tells of it. */
  written(object: Live): void;
}

/** A cache that is open until it is closed; the last one to close it ends its watch. */
export interface OpenedCache {
  readonly cache: KindCache;
  close(): void;
}

export interface CacheWish {
  readonly selection: Selection;
  /** Only apiVersion, kind and metadata. */
  readonly isMetadataOnly: boolean;
}

/** Where controllers get caches; who wishes for the same, shares one. */
export interface Caches {
  open(kind: Kind, wish: CacheWish): OpenedCache;
}

/** What a reconcile reads: the kinds that its controller watches, from memory. */
export interface CacheView<Watched extends Kind = Kind> {
  /** As the watch has told it, or as this controller wrote it since; undefined where it is not there. */
  get<K extends Watched>(kind: K, name: ObjectName): Live<K> | undefined;
  /** In no order. */
  list<K extends Watched>(kind: K, selection?: CachedSelection): readonly Live<K>[];
}

/** The caches of a controller, by its kinds. */
export class WatchedCaches {
  readonly #controller: string;
  readonly #opened = new Map<string, OpenedCache & { readonly kind: Kind }>();

  constructor(
    controller: string,
    kinds: readonly (CacheWish & { readonly kind: Kind })[],
    caches: Caches,
  ) {
    this.#controller = controller;
    for (const { kind, ...wish } of kinds) {
      this.#opened.set(resourceOf(kind), { ...caches.open(kind, wish), kind });
    }
  }

  /** @throws {Error} for a kind that the controller does not watch */
  of(kind: Kind): KindCache {
    const opened = this.#opened.get(resourceOf(kind));
    if (opened) return opened.cache;
    throw new Error(
      `${this.#controller} must watch ${resourceOf(kind)} to read it from a cache: add it to owns or watches`,
    );
  }

  /** What was written, as the server answered, where the controller watches its kind. */
  written(object: Live): void {
    for (const { kind, cache } of this.#opened.values()) {
      if (kind.kind === object.kind && apiVersionOf(kind) === object.apiVersion) {
        cache.written(object);
      }
    }
  }

  /** The same, typed by kinds: what lies in the cache of a kind is of it. */
  get view(): CacheView {
    return {
      get: <K extends Kind>(kind: K, name: ObjectName) =>
        this.of(kind).get(name) as Live<K> | undefined,
      list: <K extends Kind>(kind: K, selection?: CachedSelection) =>
        this.of(kind).list(selection) as readonly Live<K>[],
    };
  }

  /** Resolves when all of them are synced. */
  get synced(): Promise<void> {
    const all = [...this.#opened.values()].map(({ cache }) => cache.synced);
    return Promise.all(all).then(() => undefined);
  }

  close(): void {
    for (const { close } of this.#opened.values()) close();
    this.#opened.clear();
  }
}
