import type { Clock } from '../clock/clock.ts';
import { IdleTimeoutError } from './reflector-event.ts';

export interface IdleTimeoutOptions {
  readonly clock: Clock;
  /** Milliseconds. May grow from one wait to the next; that it shrank is seen late. */
  readonly quiet: () => number;
  readonly signal: AbortSignal;
}

/**
 * What a stream tells, but never waits for it longer than `quiet`: then it throws `Quiet`, and the
 * signal's reason as soon as that aborts. In any case the stream is closed, and nothing waits for its
 * closing. The time that the caller takes between two does not count.
 */
export async function* withIdleTimeout<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  { clock, quiet, signal }: IdleTimeoutOptions,
): AsyncGenerator<T, void, undefined> {
  signal.throwIfAborted();
  const stop = new AbortController();
  let since: number | undefined;
  // Set anew for each wait: a race with one promise that lives as long would keep every event.
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

/** The promise, or the signal's reason as soon as that aborts. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
