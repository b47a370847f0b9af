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
