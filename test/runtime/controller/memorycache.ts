import type {
  CachedSelection,
  CacheHandlers,
  CacheIndex,
  CacheWish,
  KindCache,
} from '../../../runtime/controller/caches.ts';
import { keyOf, type Live, type ObjectName } from '../../../runtime/kinds/kind.ts';

export type Heard = 'added' | 'changed' | 'deleted';

/** What was heard of one kind, and what was written since. */
export class MemoryCache implements KindCache {
  readonly synced: Promise<void>;
  readonly #wish: CacheWish;
  readonly #objects = new Map<string, Live>();
  /** How many objects there were when each index was made. */
  readonly indexedAt: number[] = [];
  readonly #indexes = new Set<CacheIndex>();
  readonly #listeners = new Set<CacheHandlers>();

  constructor(synced: Promise<void>, wish: CacheWish) {
    this.synced = synced;
    this.#wish = wish;
  }

  get(name: ObjectName): Live | undefined {
    return this.#objects.get(keyOf(name));
  }

  list({ namespace, index }: CachedSelection = {}): readonly Live[] {
    return [...this.#objects.values()].filter(
      (object) =>
        (namespace === undefined || object.metadata.namespace === namespace) &&
        (!index || (this.#indexes.has(index.by) && index.by(object).includes(index.is))),
    );
  }

  index(by: CacheIndex): void {
    if (!this.#indexes.has(by)) this.indexedAt.push(this.#objects.size);
    this.#indexes.add(by);
  }

  subscribe(handlers: CacheHandlers): { end(): void } {
    for (const object of this.#objects.values()) handlers.added(object, true);
    this.#listeners.add(handlers);
    return { end: () => void this.#listeners.delete(handlers) };
  }

  deleted(name: ObjectName, uid: string): void {
    if (this.get(name)?.metadata.uid === uid) this.#objects.delete(keyOf(name));
  }

  written(object: Live): void {
    if (this.#isSelected(object)) this.#objects.set(keyOf(object.metadata), this.#kept(object));
  }

  hear(type: Heard, object: Live): void {
    if (!this.#isSelected(object)) return;
    const key = keyOf(object.metadata);
    const old = this.#objects.get(key);
    const kept = this.#kept(object);
    if (type === 'deleted') this.#objects.delete(key);
    else this.#objects.set(key, kept);
    for (const handlers of this.#listeners) {
      if (type === 'changed') handlers.changed(old ?? kept, kept);
      else if (type === 'added') handlers.added(kept, false);
      else handlers.deleted(kept);
    }
  }

  #isSelected({ metadata }: Live): boolean {
    const { namespace } = this.#wish.selection;
    return namespace === undefined || namespace === metadata.namespace;
  }

  #kept(object: Live): Live {
    const { apiVersion, kind, metadata } = object;
    return this.#wish.isMetadataOnly ? { apiVersion, kind, metadata } : object;
  }
}
