import { Backoff, type BackoffProps } from '../clock/pacing.ts';
import { systemClock, type Clock, type Random } from '../clock/clock.ts';
import { DelayedKeys, pickMoreUrgent, WaitingKeys, type QueuePlacement } from './queue-keys.ts';

/** The priority and delay of a key. */
export interface AddOptions {
  /** Higher priorities go first, nine times out of ten. @default 0 */
  readonly priority?: number | undefined;
  /** Flows of one priority alternate, so that a long one does not delay others. @default '' */
  readonly flow?: string | undefined;
  /** Milliseconds until the key can be taken. @default 0 */
  readonly after?: number | undefined;
}

/** When a failed key is retried. */
export interface RetryOptions {
  /** The least milliseconds to wait, even if the backoff is shorter: a server's Retry-After. @default 0 */
  readonly atLeast?: number | undefined;
}

/** Observes a queue, for metrics. Its methods must not throw. */
export interface QueueObserver {
  /** Called when a key that was not waiting becomes available, now or when its current work is done. */
  added?(key: string, priority: number): void;
  /** Called when a key is taken, after so many milliseconds. */
  taken?(key: string, waited: number): void;
  /** Called when the work on a key is done, after so many milliseconds. */
  finished?(key: string, worked: number): void;
  /** Called when a key has failed so often in a row, and is retried in so many milliseconds. */
  retried?(key: string, failures: number, delay: number): void;
  /** Called when the queue is closed, with the number of available keys that are dropped. */
  dropped?(keys: number): void;
}

/** The backoff and the observer of a queue. */
export interface WorkQueueProps {
  /** @default - from 5 ms to 1000 s */
  readonly backoff?: BackoffProps | undefined;
  /** @default - none */
  readonly observer?: QueueObserver | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** Half of the backoff is random. @default Math.random */
  readonly random?: Random | undefined;
}

/**
 * The work queue of a controller, with keys of objects. Guarantees:
 *
 * - An added key is taken later: once, however often it was added before that.
 * - No key is taken twice at a time. A key that is added during its work is available again when that is done.
 * - Keys of higher priority go first, but one of ten keys has a lower priority, if any waits. Flows of one priority
 *   alternate.
 * - Adding a key again can make it more urgent and earlier, never less urgent or later. So a key that is added without
 *   a delay loses its delay.
 *
 * Each controller has its own.
 *
 * @example
 * ```ts
 * import { WorkQueue } from '@tenantry/runtime';
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
  /** Keys that were added during their work. */
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

  /** The number of keys that can be taken now. */
  get depth(): number {
    return this.#waiting.size;
  }

  get delayed(): number {
    return this.#delayed.size;
  }

  /** The keys that are worked on, and for how many milliseconds. */
  get inWork(): ReadonlyMap<Key, number> {
    const now = this.#clock.now();
    return new Map([...this.#working].map(([key, { began }]) => [key, now - began]));
  }

  /** Adds a key. Has no effect once the queue is closed. */
  add(key: Key, { priority = 0, flow = '', after = 0 }: AddOptions = {}): void {
    if (!this.#isOpen) return;
    const now = this.#clock.now();
    const place = { priority, flow, since: now };
    if (after > 0 && !this.#waiting.has(key) && !this.#again.has(key)) {
      this.#delayed.add(key, { ...place, since: now + after }, now + after);
      this.#setTimer();
    } else {
      const delayed = this.#delayed.remove(key);
      this.#makeReady(
        key,
        delayed ? { ...pickMoreUrgent(place, delayed.place), since: now } : place,
      );
      this.#setTimer();
    }
  }

  /**
   * Retries the key that is worked on, after a delay that grows with each consecutive failure, with the same priority.
   * Call it before `done`; it has no effect once the queue is closed.
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

  failures(key: Key): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Resets the failures of the key. If it is waiting, it stays. */
  forget(key: Key): void {
    this.#failures.delete(key);
  }

  /** Returns the next key, as soon as there is one; undefined when the queue is closed. */
  take(): Promise<Key | undefined> {
    if (this.#isOver) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#dispatch();
    });
  }

  /** Ends the work on a key that was taken. */
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
   * Closes the queue: nothing can be added any more, and waiting keys are dropped. Resolves when nothing is worked on.
   */
  close(): Promise<void> {
    const dropped = this.#waiting.size + this.#again.size;
    if (dropped > 0) this.#observer.dropped?.(dropped);
    this.#waiting.clear();
    this.#again.clear();
    return this.drain();
  }

  /**
   * Closes the queue once it is empty: nothing can be added any more, delayed keys are dropped, and available keys can
   * still be taken. Resolves when nothing is left or worked on.
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

  #makeReady(key: Key, place: QueuePlacement): void {
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

  /** Sets one timer, for the key that is due first. */
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
      this.#makeReady(next.key, next.place);
    }
    this.#setTimer();
  }
}
