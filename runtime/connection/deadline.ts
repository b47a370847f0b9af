import type { Clock } from '../clock/clock.ts';

/** Combines everything that can end a call into one signal: the caller, the close of the transport, and the timeout. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #parents: readonly AbortSignal[];
  readonly #abort: (this: void, event: Event) => void;
  #stop: () => void = () => {};
  #isTimeout = false;

  constructor(clock: Clock, milliseconds: number, parents: readonly (AbortSignal | undefined)[]) {
    this.#parents = parents.filter((signal) => signal !== undefined);
    this.#abort = ({ target }) => this.#controller.abort((target as AbortSignal).reason);
    for (const parent of this.#parents) {
      if (parent.aborted) this.#controller.abort(parent.reason);
      else parent.addEventListener('abort', this.#abort, { once: true });
    }
    if (milliseconds === Infinity || this.signal.aborted) return;
    this.#stop = clock.after(milliseconds, () => {
      this.#isTimeout = !this.signal.aborted;
      this.#controller.abort();
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the timeout ended it. */
  get isTimeout(): boolean {
    return this.#isTimeout;
  }

  /** Stops the timeout. */
  stopClock(): void {
    this.#stop();
  }

  /** Detaches from all signals. Call it when the call is over, because the parent signals live longer. */
  release(): void {
    this.#stop();
    for (const parent of this.#parents) parent.removeEventListener('abort', this.#abort);
  }

  /** Settles with the promise or with the deadline, whichever comes first. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this;
    let abort = (): void => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
    try {
      return await Promise.race([promise, aborted]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}
