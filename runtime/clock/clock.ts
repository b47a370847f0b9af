/**
 * The time source of the whole runtime. Nothing else reads the clock of the machine, so that tests can simulate hours
 * in an instant.
 */
export interface Clock {
  /** Returns monotonic milliseconds from an arbitrary origin. */
  now(): number;
  /** Returns the date, for values that are written into objects. */
  date(): Date;
  /** Resolves after so many milliseconds. Rejects with the signal's reason as soon as it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Runs a function once after so many milliseconds. The returned function cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** Returns a number from 0 up to, not including, 1: `Math.random`, or a seeded generator in tests. */
export type Random = () => number;
