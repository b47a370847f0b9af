import type { Clock } from '../clock/clock.ts';

/** `lease` never waits; `list` waits behind `call`. */
export type Priority = 'lease' | 'call' | 'list';

interface FlowControlOptions {
  readonly qps: number;
  /** The most saved-up calls that pass at once. */
  readonly burst: number;
  readonly atOnce: number;
  readonly clock: Clock;
}

/** If calls and lists both wait, one of so many slots is for a list. */
const callsPerList = 8;

/** Releases the slot of a call, so that another one may start. A second call has no effect. */
export type ReleaseSlot = () => void;

/**
 * Limits the rate of calls, with a bucket of `burst` tokens that `qps` tokens per second refill, and the number of
 * concurrent calls. Within a priority, calls pass in order. A lease renewal never waits: it borrows its token from the
 * future, and does not count as concurrent.
 */
export class FlowControl {
  readonly #options: FlowControlOptions;
  readonly #calls = new Set<() => void>();
  readonly #lists = new Set<() => void>();
  #tokens: number;
  #at: number;
  #concurrent = 0;
  #callsInRow = 0;
  #stop: (() => void) | undefined;

  constructor(options: FlowControlOptions) {
    const { qps, burst, atOnce, clock } = options;
    if (!(qps > 0)) throw new RangeError(`qps must be above 0, got ${qps}`);
    if (!(burst >= 1)) throw new RangeError(`burst must be at least 1, got ${burst}`);
    if (!(atOnce >= 1)) throw new RangeError(`atOnce must be at least 1, got ${atOnce}`);
    this.#options = options;
    this.#tokens = burst;
    this.#at = clock.now();
  }

  get waiting(): number {
    return this.#calls.size + this.#lists.size;
  }

  /**
   * Resolves when the call may start, with a function to call at its end. Rejects with the signal's reason, and has
   * then taken neither a token nor a place.
   */
  acquire(priority: Priority, signal?: AbortSignal): Promise<ReleaseSlot> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#refill();
    if (priority === 'lease') {
      this.#tokens = Math.max(this.#tokens - 1, -this.#options.burst);
      return Promise.resolve(() => undefined);
    }
    if (this.waiting === 0 && this.#take()) return Promise.resolve(this.#createRelease());
    const queue = priority === 'call' ? this.#calls : this.#lists;
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        queue.delete(start);
        if (this.waiting === 0) this.#stopWaiting();
        reject(signal?.reason);
      };
      const start = (): void => {
        signal?.removeEventListener('abort', cancel);
        resolve(this.#createRelease());
      };
      signal?.addEventListener('abort', cancel, { once: true });
      queue.add(start);
      this.#wait();
    });
  }

  #refill(): void {
    const { qps, burst, clock } = this.#options;
    const now = clock.now();
    // 0 times Infinity would be NaN.
    const fallen = qps === Infinity ? Infinity : ((now - this.#at) / 1000) * qps;
    this.#tokens = Math.min(burst, this.#tokens + fallen);
    this.#at = now;
  }

  /** Sums of fractions fall short of 1 by less than this. */
  get #hasToken(): boolean {
    return this.#tokens >= 1 - 1e-6;
  }

  #take(): boolean {
    if (this.#concurrent >= this.#options.atOnce || !this.#hasToken) return false;
    this.#tokens -= 1;
    this.#concurrent += 1;
    return true;
  }

  #createRelease(): ReleaseSlot {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#concurrent -= 1;
      if (this.waiting > 0) this.#dispatch();
    };
  }

  #dispatch(): void {
    this.#refill();
    while (this.waiting > 0 && this.#take()) this.#dispatchNext();
    if (this.waiting > 0) this.#wait();
    else this.#stopWaiting();
  }

  /** Waits for a token; a place becomes free at the end of a call. */
  #wait(): void {
    if (this.#stop || this.#hasToken) return;
    const { qps, clock } = this.#options;
    this.#stop = clock.after(Math.max(1, Math.ceil(((1 - this.#tokens) / qps) * 1000)), () => {
      this.#stop = undefined;
      this.#dispatch();
    });
  }

  #stopWaiting(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #dispatchNext(): void {
    const isLists =
      this.#lists.size > 0 && (this.#calls.size === 0 || this.#callsInRow >= callsPerList - 1);
    this.#callsInRow = isLists ? 0 : this.#callsInRow + 1;
    const queue = isLists ? this.#lists : this.#calls;
    const [start] = queue;
    if (!start) return;
    queue.delete(start);
    start();
  }
}
