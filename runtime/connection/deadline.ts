import type { Clock } from '../clock/clock.ts';

/** One signal for all that can end a call: its caller, the closing of the transport, and time. */
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

  /** Time has ended it, and nobody else. */
  get isTimeout(): boolean {
    return this.#isTimeout;
  }

  /** Time ends it no more. */
  stopClock(): void {
    this.#stop();
  }

  /** Nothing ends it any more; to be called when the call is over, as the parents live longer. */
  release(): void {
    this.#stop();
    for (const parent of this.#parents) parent.removeEventListener('abort', this.#abort);
  }

  /** What a promise gives, or the end of the deadline, whatever is first. */
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
