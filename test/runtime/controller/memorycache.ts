import { matchesLabels } from '../../../kube/labelselector.ts';
import { readLabelSelector } from '../../../kube/labelselectortext.ts';
import type { CachedSelection, CacheHandlers, CacheIndex } from '../../../runtime/cache/cached.ts';
import type { CacheWish, KindCache } from '../../../runtime/controller/caches.ts';
import { keyOf, nameOf, type Live, type ObjectName } from '../../../runtime/kinds/kind.ts';

export type Heard = 'added' | 'changed' | 'deleted';

/** What was heard of one kind, and what was written since. */
export class MemoryCache implements KindCache {
  readonly synced: Promise<void>;
  readonly #wish: CacheWish;
  readonly #heard = new Map<string, Live>();
  /** What was written and not heard of yet; nothing where it was deleted. */
  readonly #own = new Map<string, Live | undefined>();
  /** The newest version that was heard of. */
  #version = 0;
  /** How many objects there were when each index was made. */
  readonly indexedAt: number[] = [];
  readonly #indexes = new Set<CacheIndex>();
  readonly #listeners = new Set<CacheHandlers>();

  constructor(synced: Promise<void>, wish: CacheWish) {
    this.synced = synced;
    this.#wish = wish;
  }

  get(name: ObjectName): Live | undefined {
    const key = keyOf(name);
    return this.#own.has(key) ? this.#own.get(key) : this.#heard.get(key);
  }

  list({ namespace, index }: CachedSelection = {}): readonly Live[] {
    const names = new Set([...this.#heard.keys(), ...this.#own.keys()]);
    const objects = [...names].flatMap((key) => this.get(nameOf(key)) ?? []);
    return objects.filter(
      (object) =>
        (namespace === undefined || object.metadata.namespace === namespace) &&
        (!index || (this.#indexes.has(index.by) && index.by(object).includes(index.is))),
    );
  }

  index(by: CacheIndex): void {
    if (!this.#indexes.has(by)) this.indexedAt.push(this.#heard.size);
    this.#indexes.add(by);
  }

  subscribe(handlers: CacheHandlers): { end(): void } {
    for (const object of this.#heard.values()) handlers.added?.(object, true);
    this.#listeners.add(handlers);
    return { end: () => void this.#listeners.delete(handlers) };
  }

  deleted(name: ObjectName, uid: string): void {
    if (this.get(name)?.metadata.uid === uid) this.#own.set(keyOf(name), undefined);
  }

  /** What was there when the cache was opened. */
  fill(object: Live): void {
    if (this.#isSelected(object)) this.#heard.set(keyOf(object.metadata), this.#kept(object));
  }

  written(object: Live): void {
    const key = keyOf(object.metadata);
    if (!this.#isSelected(object)) return;
    const version = Number(object.metadata.resourceVersion);
    const own = Number(this.#own.get(key)?.metadata.resourceVersion ?? 0);
    if (version > Math.max(this.#version, own)) this.#own.set(key, this.#kept(object));
  }

  /** What is not selected any more is heard of as deleted. */
  hear(happened: Heard, object: Live): void {
    const key = keyOf(object.metadata);
    const old = this.#heard.get(key);
    const isSelected = this.#isSelected(object);
    if (!isSelected && !old) return;
    const type = isSelected ? happened : 'deleted';
    const kept = this.#kept(object);
    this.#version = Number(object.metadata.resourceVersion);
    const own = this.#own.get(key);
    if (!own || Number(own.metadata.resourceVersion) <= this.#version) this.#own.delete(key);
    if (type === 'deleted') this.#heard.delete(key);
    else this.#heard.set(key, kept);
    for (const handlers of this.#listeners) {
      if (type === 'changed') handlers.changed?.(old ?? kept, kept);
      else if (type === 'added') handlers.added?.(kept, false);
      else handlers.deleted?.(kept);
    }
  }

  #isSelected({ metadata }: Live): boolean {
    const { namespace, labelSelector = '' } = this.#wish.selection;
    return (
      (namespace === undefined || namespace === metadata.namespace) &&
      matchesLabels(readLabelSelector(labelSelector), metadata.labels ?? {})
    );
  }

  #kept(object: Live): Live {
    const { apiVersion, kind, metadata } = object;
    if (this.#wish.isMetadataOnly) return { apiVersion, kind, metadata };
    return this.#wish.project?.(object) ?? object;
  }
}
