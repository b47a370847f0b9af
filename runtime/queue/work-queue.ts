import { Backoff, type BackoffProps } from '../clock/backoff.ts';
import type { Clock, Random } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { DelayedKeys } from './delayed-keys.ts';
import { pickMoreUrgent, WaitingKeys, type QueuePlacement } from './waiting-keys.ts';

/** How urgent a key is, and when. */
export interface AddOptions {
  /** Higher goes first, nine times of ten. @default 0 */
  readonly priority?: number | undefined;
  /** Flows of one priority take turns, so that a long one does not keep others waiting. @default '' */
  readonly flow?: string | undefined;
  /** Milliseconds until it can be taken. @default 0 */
  readonly after?: number | undefined;
}

/** When a key that failed comes again. */
export interface RetryOptions {
  /** Milliseconds that are waited even where the backoff is shorter: a server's Retry-After. @default 0 */
  readonly atLeast?: number | undefined;
}

/** What happens in a queue, for metrics. Nothing of it may throw. */
export interface QueueObserver {
  /** A key that did not wait already can now be taken, or will be when it is done. */
  added?(key: string, priority: number): void;
  /** It waited for so many milliseconds. */
  taken?(key: string, waited: number): void;
  /** It was worked on for so many milliseconds. */
  finished?(key: string, worked: number): void;
  /** It failed so often in a row, and comes again in so many milliseconds. */
  retried?(key: string, failures: number, delay: number): void;
  /** The queue was closed, and so many that could have been taken never will be. */
  dropped?(keys: number): void;
}

/** How long a queue waits after failures, and who is told what happens in it. */
export interface WorkQueueProps {
  /** @default - from 5 ms to 1000 s */
  readonly backoff?: BackoffProps | undefined;
  /** @default - nobody */
  readonly observer?: QueueObserver | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** Of the backoff, a half is chance. @default Math.random */
  readonly random?: Random | undefined;
}

/**
 * The work of a controller, as keys of objects. It guarantees:
 *
 * - A key that is added, is taken afterwards: once, however often it was added before that.
 * - No key is taken twice at a time. One that is added while it is worked on, comes again when it is
 *   done.
 * - A key of higher priority goes first, but of ten keys one is of a lower one, if any waits; flows of one
 *   priority take turns. To add a key again can
 *   make it more urgent and earlier, never less urgent or later. So a delay is forgotten when the key
 *   is added without one.
 *
 * A controller has one by itself.
 *
 * @example
 * ```ts
 * import { WorkQueue } from 'tenantry/runtime';
 *
 * const queue = new WorkQueue();
 * for (const key of ['shop/web', 'shop/db', 'shop/web']) queue.add(key);
 * const drained = queue.drain();
 * const done: string[] = [];
 * for (let key; (key = await queue.take()) !== undefined; queue.done(key)) {
 *   try {
 *     done.push(key); // the work
 *     queue.forget(key);
 *   } catch (error) {
 *     queue.retry(key);
 *   }
 * }
 * await drained;
 * console.log(done); // [ 'shop/web', 'shop/db' ]
 * ```
 */
export class WorkQueue<Key extends string = string> {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #observer: QueueObserver;
  readonly #waiting = new WaitingKeys<Key>();
  readonly #delayed = new DelayedKeys<Key>();
  readonly #working = new Map<Key, { readonly place: QueuePlacement; readonly began: number }>();
  /** What was added while it was worked on. */
  readonly #again = new Map<Key, QueuePlacement>();
  readonly #failures = new Map<Key, number>();
  #takers: ((key: Key | undefined) => void)[] = [];
  #timer: { readonly due: number; readonly cancel: () => void } | undefined;
  #isOpen = true;
  #idle: (() => void)[] = [];

  constructor(props: WorkQueueProps = {}) {
    const { clock = systemClock, random = Math.random, backoff, observer = {} } = props;
    this.#clock = clock;
    this.#backoff = new Backoff(random, backoff);
    this.#observer = observer;
  }

  /** How many keys could be taken now. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** How many keys wait for their time. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /** The keys that are worked on, and for how many milliseconds already. */
  get inWork(): ReadonlyMap<Key, number> {
    const now = this.#clock.now();
    return new Map([...this.#working].map(([key, { began }]) => [key, now - began]));
  }

  /** Does nothing once the queue is closed. */
  add(key: Key, { priority = 0, flow = '', after = 0 }: AddOptions = {}): void {
    if (!this.#isOpen) return;
    const now = this.#clock.now();
    const place = { priority, flow, since: now };
    if (after > 0 && !this.#waiting.has(key) && !this.#again.has(key)) {
      this.#delayed.add(key, { ...place, since: now + after }, now + after);
      this.#setTimer();
    } else {
      const delayed = this.#delayed.remove(key);
      this.#ready(key, delayed ? { ...pickMoreUrgent(place, delayed.place), since: now } : place);
      this.#setTimer();
    }
  }

  /**
   * The key that is worked on failed: it comes again after a delay that grows with each failure in a
   * row, as urgent as it was. To be called before `done`; without effect once the queue is closed.
   */
  retry(key: Key, { atLeast = 0 }: RetryOptions = {}): void {
    const work = this.#working.get(key);
    if (!work) throw new Error(`${key} must be worked on to be tried again`);
    if (!this.#isOpen) return;
    const failures = this.failures(key) + 1;
    this.#failures.set(key, failures);
    const delay = Math.max(this.#backoff.delayAfter(failures), atLeast);
    this.#observer.retried?.(key, failures, delay);
    this.add(key, { priority: work.place.priority, flow: work.place.flow, after: delay });
  }

  /** How often the key has failed since it was forgotten. */
  failures(key: Key): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next failure of the key is a first one. What waits stays. */
  forget(key: Key): void {
    this.#failures.delete(key);
  }

  /** The next key, as soon as there is one; undefined when the queue is closed. */
  take(): Promise<Key | undefined> {
    if (this.#isOver) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#dispatch();
    });
  }

  /** The key that was taken is no longer worked on. */
  done(key: Key): void {
    const work = this.#working.get(key);
    if (!work) throw new Error(`${key} must be worked on to be done`);
    this.#working.delete(key);
    this.#observer.finished?.(key, this.#clock.now() - work.began);
    const again = this.#again.get(key);
    this.#again.delete(key);
    if (again) this.#waiting.add(key, again);
    this.#dispatch();
  }

  /**
   * Ends the queue: nothing can be added any more, and what waits is dropped. Resolves when nothing
   * is worked on.
   */
  close(): Promise<void> {
    const dropped = this.#waiting.size + this.#again.size;
    if (dropped > 0) this.#observer.dropped?.(dropped);
    this.#waiting.clear();
    this.#again.clear();
    return this.drain();
  }

  /**
   * Ends the queue when it is empty: nothing can be added any more, what waits for its time is dropped,
   * what can be taken still is. Resolves when nothing is left and nothing is worked on.
   */
  drain(): Promise<void> {
    this.#isOpen = false;
    this.#delayed.clear();
    this.#setTimer();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#dispatch();
    });
  }

  get #isOver(): boolean {
    return !this.#isOpen && this.#waiting.size === 0 && this.#again.size === 0;
  }

  #ready(key: Key, place: QueuePlacement): void {
    const waits = this.#again.get(key);
    if (!waits && !this.#waiting.has(key)) this.#observer.added?.(key, place.priority);
    if (this.#working.has(key)) {
      this.#again.set(key, waits ? pickMoreUrgent(waits, place) : place);
    } else {
      this.#waiting.add(key, place);
      this.#dispatch();
    }
  }

  #dispatch(): void {
    while (this.#takers.length > 0 && this.#waiting.size > 0) {
      const taken = this.#waiting.take();
      if (!taken) break;
      const { key, place } = taken;
      const now = this.#clock.now();
      this.#working.set(key, { place, began: now });
      this.#observer.taken?.(key, now - place.since);
      this.#takers.shift()?.(key);
    }
    if (!this.#isOver) return;
    for (const taker of this.#takers.splice(0)) taker(undefined);
    if (this.#working.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** One timer, for the key that is due first. */
  #setTimer(): void {
    const due = this.#delayed.first?.due;
    if (due === this.#timer?.due) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (due === undefined) return;
    const cancel = this.#clock.after(due - this.#clock.now(), () => {
      this.#timer = undefined;
      this.#release();
    });
    this.#timer = { due, cancel };
  }

  #release(): void {
    const now = this.#clock.now();
    for (let next = this.#delayed.first; next && next.due <= now; next = this.#delayed.first) {
      this.#delayed.remove(next.key);
      this.#ready(next.key, next.place);
    }
    this.#setTimer();
  }
}
