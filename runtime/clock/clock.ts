/**
 * The time of everything in the runtime: nothing else asks the clock of the machine, so that tests
 * let hours pass in no time.
 */
export interface Clock {
  /** Milliseconds of a clock that is never put back, from any beginning. */
  now(): number;
  /** The date, for what is written into objects. */
  date(): Date;
  /** Resolves after so many milliseconds. Rejects with the signal's reason as soon as it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Runs once after so many milliseconds; what it returns, called earlier, prevents that. */
  after(milliseconds: number, run: () => void): () => void;
}

/** A number from 0 up to, not including, 1: `Math.random`, or a seeded one in tests. */
export type Random = () => number;
