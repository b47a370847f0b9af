import type { Selection } from '../client/client.ts';
import { controllerUid } from './ownership.ts';
import { apiVersionOf, resourceOf, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';

/** What a cache tells of its objects, in the order in which it happened. */
export interface CacheHandlers {
  /** `isInitial`: it was there when the handlers or the cache began, so it is no news. */
  added(object: Live, isInitial: boolean): void;
  changed(before: Live, now: Live): void;
  deleted(last: Live): void;
}

/** Under which words objects are found. */
export type CacheIndex = (object: Live) => readonly string[];

/** Which objects of a cache. */
export interface CachedSelection {
  /** @default - all */
  readonly namespace?: string | undefined;
  /** As kubectl writes it: `app=shop,tier!=db`. @default - all */
  readonly labelSelector?: string | undefined;
  /** An index of the cache, and the word. @default - all */
  readonly index?: { readonly by: CacheIndex; readonly is: string } | undefined;
}

/** What a controller asks of the cache of a kind. */
export interface KindCache {
  /** Resolves when all that was there has been read; rejects when the cache ends before. */
  readonly synced: Promise<void>;
  get(name: ObjectName): Live | undefined;
  list(selection?: CachedSelection): readonly Live[];
  /** Makes an index, unless it is there. */
  index(by: CacheIndex): void;
  /** Tells what there is, in slices, then what happens, until `end`. */
  subscribe(handlers: CacheHandlers): { end(): void };
  /** Our own write, as the server answered: reads see it before the watch tells of it. */
  written(object: Live): void;
  /** The server took our word that the object is to go: reads no longer see it. */
  deleted(name: ObjectName, uid: string): void;
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

  /** The objects whose controller has the uid. */
  controlledBy<K extends Kind>(kind: K, uid: string): readonly Live<K>[] {
    const cache = this.of(kind);
    cache.index(controllerUid);
    return this.view.list(kind, { index: { by: controllerUid, is: uid } });
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

  /** The server accepted that the controller deletes an object. */
  deleted(kind: Kind, name: ObjectName): void {
    const cache = this.#opened.get(resourceOf(kind))?.cache;
    const uid = cache?.get(name)?.metadata.uid;
    if (uid !== undefined) cache?.deleted(name, uid);
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
