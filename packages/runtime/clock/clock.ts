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

/** The longest delay of a Node timer (2^31 - 1 ms, 24.8 days). A longer one would fire at once. */
const maxTimerDelay = 2_147_483_647;

/**
 * The machine's clock. Unlike Node's timers, it never fires early, not even by a fraction of a millisecond, and delays
 * may have any length. Timers keep the process alive. A delay of 0 or less first lets everything else run that is due,
 * including I/O.
 */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  sleep: (milliseconds, signal) => sleep(milliseconds, signal),
  after,
};

const sleep = createSleep(after);

function after(milliseconds: number, run: () => void): () => void {
  if (milliseconds <= 0) {
    const immediate = setImmediate(run);
    return () => clearImmediate(immediate);
  }
  const due = performance.now() + milliseconds;
  let timer = setTimeout(fireIfDue, Math.min(milliseconds, maxTimerDelay));
  function fireIfDue(): void {
    const rest = due - performance.now();
    if (rest <= 0) run();
    else timer = setTimeout(fireIfDue, Math.min(Math.ceil(rest), maxTimerDelay));
  }
  return () => clearTimeout(timer);
}

/** Formats a metav1.MicroTime, which has exactly six digits after the point. */
export function formatMicroTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}

/** Creates the `sleep` of a clock from its timers. */
export function createSleep(after: Clock['after']): Clock['sleep'] {
  return (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const wake = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = after(milliseconds, wake);
      signal?.addEventListener('abort', stop, { once: true });
    });
}

/** Settles with the promise, or rejects with the signal's reason as soon as it aborts. */
export function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Resolves when the signal aborts. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
