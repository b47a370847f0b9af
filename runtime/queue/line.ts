/**
 * A set that is taken from in the order in which things were added. Everything takes the same time
 * however long the line is: the iterator stays open, so that what was taken is not passed again.
 */
export class FifoSet<T> {
  readonly #members = new Set<T>();
  #next = this.#members.values();

  get size(): number {
    return this.#members.size;
  }

  /** What stands in it already keeps its place. */
  add(member: T): void {
    this.#members.add(member);
  }

  remove(member: T): void {
    this.#members.delete(member);
  }

  /** The one that has waited longest leaves the line. */
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
