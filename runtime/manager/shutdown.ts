import type { Clock } from '../clock/clock.ts';

/** The fraction of the shutdown time after which nothing may be written any more. */
const cutAfter = 0.9;

/** An orderly shutdown: once, for one reason, within a time limit. */
export class Shutdown {
  readonly #clock: Clock;
  readonly #within: number;
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  readonly #overdue = Promise.withResolvers<void>();
  readonly #timers: (() => void)[] = [];
  #failure: { readonly error: unknown } | undefined;

  /** @param within milliseconds */
  constructor(clock: Clock, within: number) {
    this.#clock = clock;
    this.#within = within;
  }

  /** Aborts when everything should come to an end. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts when nothing may be written any more. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Resolves when the time is over. */
  get overdue(): Promise<void> {
    return this.#overdue.promise;
  }

  /** The first error that caused the shutdown. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Begins the shutdown. The first of several reasons counts. */
  begin(reason: unknown): void {
    if (this.stop.aborted) return;
    this.#stop.abort(reason);
    const late = new Error(`the shutdown did not finish within ${this.#within / 1000} s`);
    this.#timers.push(
      this.#clock.after(this.#within * cutAfter, () => this.#cut.abort(late)),
      this.#clock.after(this.#within, () => this.#overdue.resolve()),
    );
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.begin(error);
  }

  /** Clears all timers, when everything has ended. */
  end(): void {
    for (const cancel of this.#timers) cancel();
  }
}
