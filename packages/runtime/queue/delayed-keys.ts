import { pickMoreUrgent, type QueuePlacement } from './waiting-keys.ts';

interface DelayedKey<Key extends string> {
  readonly key: Key;
  readonly place: QueuePlacement;
  /** Milliseconds of the clock. */
  readonly due: number;
}

/** An entry of the heap. Entries are ordered by due time, and then by insertion. */
interface Entry<Key extends string> extends DelayedKey<Key> {
  readonly order: number;
}

/**
 * Keys that are delayed, as a heap with the first due one on top. The heap knows the position of each key, so a
 * withdrawn key leaves it at once instead of when it is due.
 */
export class DelayedKeys<Key extends string> {
  readonly #heap: Entry<Key>[] = [];
  readonly #positions = new Map<Key, number>();
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The key that is due first. */
  get first(): DelayedKey<Key> | undefined {
    return this.#heap[0];
  }

  /** Adds a key. The earlier of two times and the higher of two priorities apply. */
  add(key: Key, wish: QueuePlacement, due: number): void {
    const before = this.remove(key);
    const place = before ? pickMoreUrgent(before.place, wish) : wish;
    const entry = { key, place, due: Math.min(due, before?.due ?? due), order: (this.#order += 1) };
    this.#put(entry, this.#heap.length);
    this.#siftUp(this.#heap.length - 1);
  }

  remove(key: Key): DelayedKey<Key> | undefined {
    const position = this.#positions.get(key);
    if (position === undefined) return undefined;
    const entry = this.#heap[position];
    const last = this.#heap.pop();
    this.#positions.delete(key);
    if (last && last !== entry) {
      this.#put(last, position);
      this.#siftUp(position);
      this.#siftDown(position);
    }
    return entry;
  }

  clear(): void {
    this.#heap.length = 0;
    this.#positions.clear();
  }

  #put(entry: Entry<Key>, position: number): void {
    this.#heap[position] = entry;
    this.#positions.set(entry.key, position);
  }

  #siftUp(from: number): void {
    for (let at = from; at > 0;) {
      const above = (at - 1) >> 1;
      if (!this.#swapUnlessInOrder(above, at)) return;
      at = above;
    }
  }

  #siftDown(from: number): void {
    for (let at = from; ;) {
      const left = 2 * at + 1;
      const below = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#swapUnlessInOrder(at, below)) return;
      at = below;
    }
  }

  #swapUnlessInOrder(above: number, below: number): boolean {
    if (!this.#isBefore(below, above)) return false;
    const [upper, lower] = [this.#heap[above], this.#heap[below]];
    if (upper) this.#put(upper, below);
    if (lower) this.#put(lower, above);
    return true;
  }

  /** Occupied positions come before empty ones. */
  #isBefore(position: number, other: number): boolean {
    const [one, two] = [this.#heap[position], this.#heap[other]];
    if (!one || !two) return false;
    return one.due === two.due ? one.order < two.order : one.due < two.due;
  }
}
