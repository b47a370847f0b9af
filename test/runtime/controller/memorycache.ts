import type {
  CachedSelection,
  CacheHandlers,
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
  readonly #listeners = new Set<CacheHandlers>();

  constructor(synced: Promise<void>, wish: CacheWish) {
    this.synced = synced;
    this.#wish = wish;
  }

  get(name: ObjectName): Live | undefined {
    return this.#objects.get(keyOf(name));
  }

  list({ namespace }: CachedSelection = {}): readonly Live[] {
    return [...this.#objects.values()].filter(
      ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
    );
  }

  handle(handlers: CacheHandlers): () => void {
    this.#listeners.add(handlers);
    return () => this.#listeners.delete(handlers);
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
      else handlers[type](kept);
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
