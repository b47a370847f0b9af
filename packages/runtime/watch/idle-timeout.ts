import type { Clock } from '../clock/clock.ts';
import { IdleTimeoutError } from './reflector-event.ts';

interface IdleTimeoutOptions {
  readonly clock: Clock;
  /** Milliseconds. The value may grow from one wait to the next; a decrease takes effect late. */
  readonly quiet: () => number;
  readonly signal: AbortSignal;
}

/**
 * Yields the events of a stream, but waits at most `quiet` for each: then it throws `IdleTimeoutError`. It throws the
 * signal's reason as soon as that aborts. In any case the stream is closed without waiting for that. The caller's time
 * between two events does not count.
 */
export async function* withIdleTimeout<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  { clock, quiet, signal }: IdleTimeoutOptions,
): AsyncGenerator<T, void, undefined> {
  signal.throwIfAborted();
  const stop = new AbortController();
  let since: number | undefined;
  // Set for each wait: a race with one long-lived promise would keep every event in memory.
  let interrupt: ((reason: unknown) => void) | undefined;
  const end = (reason: unknown): void => {
    stop.abort(reason);
    interrupt?.(reason);
  };
  const onAbort = (): void => end(signal.reason);
  const look = (): void => {
    const rest = since === undefined ? quiet() : since + quiet() - clock.now();
    if (rest <= 0) end(new IdleTimeoutError(quiet()));
    else cancel = clock.after(rest, look);
  };
  let cancel = clock.after(quiet(), look);
  signal.addEventListener('abort', onAbort, { once: true });
  let iterator: AsyncIterator<T> | undefined;
  try {
    const opened = (iterator = open(stop.signal)[Symbol.asyncIterator]());
    for (;;) {
      since = clock.now();
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        interrupt = reject;
        opened.next().then(resolve, reject);
      });
      since = undefined;
      if (next.done) return;
      yield next.value;
      signal.throwIfAborted();
    }
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
    stop.abort();
    iterator?.return?.().catch(() => undefined);
  }
}

/** Settles with the promise, or rejects with the signal's reason as soon as it aborts. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
