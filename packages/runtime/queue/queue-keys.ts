/** The priority and flow of a key, and since when it waits. */
export interface QueuePlacement {
  /** Higher priorities go first. */
  readonly priority: number;
  /** Flows of one priority alternate. */
  readonly flow: string;
  readonly since: number;
}

/** Returns the more urgent of two placements of one key, with the start of the older one. */
export function pickMoreUrgent(one: QueuePlacement, other: QueuePlacement): QueuePlacement {
  const since = Math.min(one.since, other.since);
  return { ...(other.priority > one.priority ? other : one), since };
}

/** The most consecutive keys that are taken before waiting ones of lower priority; then one of those follows. */
const maxBefore = 9;

/**
 * Keys that can be taken now. The highest priority is first, except that every tenth key comes from one of the lower
 * ones, alternately. Flows of one priority alternate, and the keys of a flow are in order.
 */
export class WaitingKeys<Key extends string> {
  readonly #places = new Map<Key, QueuePlacement>();
  readonly #levels = new Map<number, PriorityLevel<Key>>();
  /** The priorities of the levels, the highest last. */
  #priorities: number[] = [];
  /** The number of consecutive keys that went before less urgent ones. */
  #before = 0;
  /** The number of less urgent keys that were taken. */
  #turns = 0;

  get size(): number {
    return this.#places.size;
  }

  has(key: Key): boolean {
    return this.#places.has(key);
  }

  /** Adds a key. A waiting one keeps its place, unless it becomes more urgent. */
  add(key: Key, placement: QueuePlacement): void {
    const before = this.#places.get(key);
    const place = before ? pickMoreUrgent(before, placement) : placement;
    if (before) {
      if (place.priority === before.priority) return;
      this.#remove(key, before);
    }
    this.#places.set(key, place);
    this.#findLevel(place.priority).add(key, place.flow);
  }

  take(): { readonly key: Key; readonly place: QueuePlacement } | undefined {
    const priority = this.#pickPriority();
    if (priority === undefined) return undefined;
    const level = this.#findLevel(priority);
    const key = level.take();
    if (level.isEmpty) this.#dropLevel(priority);
    const place = key === undefined ? undefined : this.#places.get(key);
    if (key === undefined || !place) return undefined;
    this.#places.delete(key);
    return { key, place };
  }

  clear(): void {
    this.#places.clear();
    this.#levels.clear();
    this.#priorities = [];
  }

  #pickPriority(): number | undefined {
    const lower = this.#priorities.length - 1;
    this.#before = lower > 0 ? this.#before + 1 : 0;
    if (this.#before <= maxBefore) return this.#priorities.at(-1);
    this.#before = 0;
    this.#turns += 1;
    return this.#priorities[this.#turns % lower];
  }

  #remove(key: Key, { priority, flow }: QueuePlacement): void {
    const level = this.#findLevel(priority);
    level.remove(key, flow);
    if (level.isEmpty) this.#dropLevel(priority);
  }

  #findLevel(priority: number): PriorityLevel<Key> {
    const there = this.#levels.get(priority);
    if (there) return there;
    const level = new PriorityLevel<Key>();
    this.#levels.set(priority, level);
    this.#priorities = [...this.#priorities, priority].toSorted((a, b) => a - b);
    return level;
  }

  #dropLevel(priority: number): void {
    this.#levels.delete(priority);
    this.#priorities = this.#priorities.filter((one) => one !== priority);
  }
}

class PriorityLevel<Key extends string> {
  readonly #flows = new Map<string, FifoSet<Key>>();
  /** The flows that have keys, the next one first. */
  readonly #turns = new FifoSet<string>();

  get isEmpty(): boolean {
    return this.#flows.size === 0;
  }

  add(key: Key, flow: string): void {
    const keys = this.#flows.get(flow) ?? new FifoSet<Key>();
    keys.add(key);
    this.#flows.set(flow, keys);
    this.#turns.add(flow);
  }

  remove(key: Key, flow: string): void {
    const keys = this.#flows.get(flow);
    keys?.remove(key);
    if (keys?.size !== 0) return;
    this.#flows.delete(flow);
    this.#turns.remove(flow);
  }

  take(): Key | undefined {
    const flow = this.#turns.take();
    const keys = flow === undefined ? undefined : this.#flows.get(flow);
    if (flow === undefined || !keys) return undefined;
    const key = keys.take();
    if (keys.size === 0) this.#flows.delete(flow);
    else this.#turns.add(flow);
    return key;
  }
}

/**
 * A set from which members are taken in insertion order, in constant time for any length. The iterator stays open, so
 * taken members are not visited again.
 */
export class FifoSet<T> {
  readonly #members = new Set<T>();
  #next = this.#members.values();

  get size(): number {
    return this.#members.size;
  }

  /** Adds a member. An existing one keeps its place. */
  add(member: T): void {
    this.#members.add(member);
  }

  remove(member: T): void {
    this.#members.delete(member);
  }

  /** Removes and returns the oldest member. */
  take(): T | undefined {
    let step = this.#next.next();
    if (step.done) {
      this.#next = this.#members.values();
      step = this.#next.next();
    }
    if (step.done) return undefined;
    this.#members.delete(step.value);
    return step.value;
  }
}

interface DelayedKey<Key extends string> {
  readonly key: Key;
  readonly place: QueuePlacement;
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

  get first(): DelayedKey<Key> | undefined {
    return this.#heap[0];
  }

  /** Adds a key. The earlier of two times and the higher of two priorities apply. */
  add(key: Key, placement: QueuePlacement, due: number): void {
    const before = this.remove(key);
    const place = before ? pickMoreUrgent(before.place, placement) : placement;
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
