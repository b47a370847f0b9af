/** A map of limited size, which drops the least recently used entries. */
export class LruMap<K, V> {
  readonly #most: number;
  readonly #entries = new Map<K, V>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the values, the least recently used ones first. */
  values(): MapIterator<V> {
    return this.#entries.values();
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** Sets a value, and returns the one that was dropped for it. */
  set(key: K, value: V): V | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return undefined;
    const [oldest] = this.#entries;
    if (oldest === undefined) return undefined;
    this.#entries.delete(oldest[0]);
    return oldest[1];
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}
