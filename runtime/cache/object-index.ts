import type { Cached, CacheIndex } from './cached.ts';

/** The keys of objects by the words of an index. */
export class ObjectIndex<O extends Cached> {
  readonly #by: CacheIndex<O>;
  /** A single key of a word is stored without a set. */
  readonly #keys = new Map<string, string | Set<string>>();

  constructor(by: CacheIndex<O>) {
    this.#by = by;
  }

  has(object: O, word: string): boolean {
    return this.#by(object).includes(word);
  }

  /** Returns the keys of a word, in any order. */
  keys(word: string): Iterable<string> {
    const keys = this.#keys.get(word);
    return typeof keys === 'string' ? [keys] : (keys ?? []);
  }

  add(key: string, object: O): void {
    for (const word of this.#by(object)) {
      const keys = this.#keys.get(word);
      if (keys === undefined) this.#keys.set(word, key);
      else if (typeof keys !== 'string') keys.add(key);
      else this.#keys.set(word, new Set([keys, key]));
    }
  }

  /** Removes what was added under this key with the same object. */
  remove(key: string, object: O): void {
    for (const word of this.#by(object)) {
      const keys = this.#keys.get(word);
      if (keys === key) this.#keys.delete(word);
      else if (typeof keys === 'object' && keys.delete(key) && keys.size === 0) {
        this.#keys.delete(word);
      }
    }
  }
}
