/**
 * A key with its priority and flow in the model of a queue. The model is as simple as possible: everything is a list
 * that is searched.
 */
export interface Wish {
  readonly key: string;
  readonly priority: number;
  readonly flow: string;
}

export class QueueModel {
  now = 0;
  isOpen = true;
  isClosed = false;
  takers = 0;
  /** The keys that were handed out, in order. */
  readonly given: string[] = [];
  delayed: (Wish & { readonly due: number })[] = [];
  working: Wish[] = [];
  again: Wish[] = [];
  readonly failures = new Map<string, number>();
  /** How many times in a row lower priorities have waited. */
  #before = 0;
  #turns = 0;
  /** The waiting keys by priority: flows in the order of their turns, each with its keys in the order of arrival. */
  readonly #levels = new Map<number, [flow: string, keys: string[]][]>();

  get waiting(): Wish[] {
    return [...this.#levels].flatMap(([priority, flows]) =>
      flows.flatMap(([flow, keys]) => keys.map((key) => ({ key, priority, flow }))),
    );
  }

  get isOver(): boolean {
    return !this.isOpen && this.waiting.length === 0 && this.again.length === 0;
  }

  add(wish: Wish, after: number): void {
    if (!this.isOpen) return;
    const { key } = wish;
    const isComing = [...this.waiting, ...this.again].some((one) => one.key === key);
    const before = this.delayed.find((one) => one.key === key);
    this.delayed = this.delayed.filter((one) => one.key !== key);
    if (after > 0 && !isComing) {
      const urgent = before ? higher(before, wish) : wish;
      const due = Math.min(this.now + after, before?.due ?? Infinity);
      this.delayed.push({ ...urgent, due });
    } else {
      this.#ready(before ? higher(wish, before) : wish);
    }
    this.handOut();
  }

  retry(key: string): void {
    const work = this.working.find((one) => one.key === key);
    if (!this.isOpen || !work) return;
    const failures = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, failures);
    this.add(work, 0.75 * Math.min(5 * 2 ** (failures - 1), 1_000_000));
  }

  done(key: string): void {
    this.working = this.working.filter((one) => one.key !== key);
    const again = this.again.find((one) => one.key === key);
    this.again = this.again.filter((one) => one.key !== key);
    if (again) this.#wait(again);
    this.handOut();
  }

  advance(milliseconds: number): void {
    const end = this.now + milliseconds;
    for (;;) {
      const next = this.delayed.toSorted((a, b) => a.due - b.due)[0];
      if (!next || next.due > end) break;
      this.now = next.due;
      this.delayed = this.delayed.filter((one) => one !== next);
      this.#ready(next);
      this.handOut();
    }
    this.now = end;
  }

  end(isDrain: boolean): void {
    this.isOpen = false;
    this.delayed = [];
    if (!isDrain) this.#levels.clear();
    if (!isDrain) this.again = [];
  }

  handOut(): void {
    for (; this.takers > 0 && this.waiting.length > 0; this.takers -= 1) {
      const priority = this.#nextPriority();
      const flows = this.#levels.get(priority) ?? [];
      const [flow, keys] = flows.shift() ?? ['', []];
      const [key = '', ...rest] = keys;
      if (rest.length > 0) flows.push([flow, rest]);
      if (flows.length === 0) this.#levels.delete(priority);
      this.working.push({ key, priority, flow });
      this.given.push(key);
    }
    if (this.isOver) this.takers = 0;
  }

  /** Returns the highest priority. Every tenth time in a row that others wait, it returns one of them in turn. */
  #nextPriority(): number {
    const [highest = 0, ...lower] = [...this.#levels.keys()].toSorted((a, b) => b - a);
    this.#before = lower.length > 0 ? this.#before + 1 : 0;
    if (this.#before < 10) return highest;
    this.#before = 0;
    return lower.toReversed()[(this.#turns += 1) % lower.length] ?? highest;
  }

  #ready(wish: Wish): void {
    if (!this.working.some(({ key }) => key === wish.key)) return this.#wait(wish);
    const before = this.again.find(({ key }) => key === wish.key);
    this.again = this.again.filter((one) => one !== before);
    this.again.push(before ? higher(before, wish) : wish);
  }

  #wait(wish: Wish): void {
    const before = this.waiting.find(({ key }) => key === wish.key);
    if (before && before.priority >= wish.priority) return;
    if (before) this.#leave(before);
    const flows = this.#levels.get(wish.priority) ?? [];
    this.#levels.set(wish.priority, flows);
    const line = flows.find(([flow]) => flow === wish.flow);
    if (line) line[1].push(wish.key);
    else flows.push([wish.flow, [wish.key]]);
  }

  #leave({ key, priority, flow }: Wish): void {
    const flows = (this.#levels.get(priority) ?? [])
      .map(([one, keys]): [string, string[]] => [
        one,
        one === flow ? keys.filter((other) => other !== key) : keys,
      ])
      .filter(([, keys]) => keys.length > 0);
    if (flows.length > 0) this.#levels.set(priority, flows);
    else this.#levels.delete(priority);
  }
}

const higher = (one: Wish, other: Wish): Wish => (other.priority > one.priority ? other : one);
