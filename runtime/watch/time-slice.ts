import type { Clock } from '../clock/clock.ts';

/** The most milliseconds of work without a pause. */
const budget = 10;

/** Cuts long work into slices, so that leases are renewed and probes answered meanwhile. */
export class TimeSlice {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #since: number;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    this.#since = clock.now();
  }

  /** Whether the slice has taken 10 ms. */
  get isOver(): boolean {
    return this.#clock.now() - this.#since >= budget;
  }

  /** Lets everything else run that is due, then begins a new slice. Rejects once the signal has aborted. */
  async yieldToOthers(): Promise<void> {
    await this.#clock.sleep(0, this.#signal);
    this.#since = this.#clock.now();
  }
}
