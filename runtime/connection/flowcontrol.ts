import type { Clock } from '../clock/clock.ts';

/** `lease` never waits; `list` waits behind `call`. */
export type Priority = 'lease' | 'call' | 'list';

export interface FlowControlOptions {
  /** Calls a second in the long run. */
  readonly qps: number;
  /** Calls at once, after so many have been spared. */
  readonly burst: number;
  readonly clock: Clock;
}

/** Of so many turns that calls and lists both wait for, one is a list's. */
const turns = 8;

/**
 * Lets calls pass at a bounded rate: a bucket of `burst` tokens, into which `qps` a second fall.
 * Within a priority the first come goes first. A lease takes its token from the future.
 */
export class FlowControl {
  readonly #options: FlowControlOptions;
  readonly #calls = new Set<() => void>();
  readonly #lists = new Set<() => void>();
  #tokens: number;
  #at: number;
  #callsInTurn = 0;
  #stop: (() => void) | undefined;

  constructor(options: FlowControlOptions) {
    const { qps, burst, clock } = options;
    if (!(qps > 0)) throw new RangeError(`qps must be above 0, got ${qps}`);
    if (!(burst >= 1)) throw new RangeError(`burst must be at least 1, got ${burst}`);
    this.#options = options;
    this.#tokens = burst;
    this.#at = clock.now();
  }

  /** How many wait. */
  get waiting(): number {
    return this.#calls.size + this.#lists.size;
  }

  /** Resolves when the call may go. Rejects with the signal's reason, and then took no token. */
  pass(priority: Priority, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#options.qps === Infinity) return Promise.resolve();
    this.#refill();
    if (priority === 'lease') {
      this.#tokens = Math.max(this.#tokens - 1, -this.#options.burst);
      return Promise.resolve();
    }
    if (this.waiting === 0 && this.#take()) return Promise.resolve();
    const queue = priority === 'call' ? this.#calls : this.#lists;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        queue.delete(go);
        if (this.waiting === 0) this.#stopWaiting();
        reject(signal?.reason);
      };
      const go = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.add(go);
      this.#wait();
    });
  }

  #refill(): void {
    const { qps, burst, clock } = this.#options;
    const now = clock.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * qps);
    this.#at = now;
  }

  /** Sums of fractions fall short of 1 by less than this. */
  #take(): boolean {
    if (this.#tokens < 1 - 1e-6) return false;
    this.#tokens -= 1;
    return true;
  }

  #wait(): void {
    if (this.#stop) return;
    const { qps, clock } = this.#options;
    this.#stop = clock.after(Math.max(1, Math.ceil(((1 - this.#tokens) / qps) * 1000)), () => {
      this.#stop = undefined;
      this.#refill();
      while (this.waiting > 0 && this.#take()) this.#letNextGo();
      if (this.waiting > 0) this.#wait();
    });
  }

  #stopWaiting(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #letNextGo(): void {
    const isLists =
      this.#lists.size > 0 && (this.#calls.size === 0 || this.#callsInTurn >= turns - 1);
    this.#callsInTurn = isLists ? 0 : this.#callsInTurn + 1;
    const queue = isLists ? this.#lists : this.#calls;
    const [go] = queue;
    if (!go) return;
    queue.delete(go);
    go();
  }
}
