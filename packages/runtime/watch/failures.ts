import type { Clock } from '../clock/clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { Malformed, TooDeep, TooLarge, Unreachable } from '../errors/client-errors.ts';

/**
 * - `absent`: the kind is not served (404). The reflector waits for it, and stored objects stay.
 * - `expired`: the version is too old (410).
 * - `went back`: the server returned an older version than before, as after a restored backup.
 * - `quiet`: a watch delivered nothing for too long, not even a bookmark.
 * - `short`: a watch ended at once, and delivered nothing.
 * - `refused`: the server answered with another error.
 * - `malformed`: the answer is not an event or a list.
 * - `too deep`: the answer is nested too deep, outside of an object of a list or a watch.
 * - `too large`: a page is too long to be read; the next ones contain fewer objects.
 * - `unreachable`: there was no answer, or it broke off.
 */
export type FailureCause =
  | 'absent'
  | 'expired'
  | 'went back'
  | 'quiet'
  | 'short'
  | 'refused'
  | 'malformed'
  | 'too deep'
  | 'too large'
  | 'unreachable';

/**
 * A period in which a kind could not be read: from the first failed list or watch to the last one. A cache of the kind
 * may be outdated since then.
 */
export interface Outage {
  /** The start, on the clock. */
  readonly since: number;
  /** The last failure, on the clock. */
  readonly until: number;
  /** The date of the first failure. */
  readonly began: Date;
  readonly during: 'list' | 'watch';
  readonly cause: FailureCause;
  readonly error: unknown;
}

/** Causes that would affect the next watch from the same version too. */
export const fruitlessCauses: ReadonlySet<FailureCause> = new Set([
  'quiet',
  'malformed',
  'too large',
]);

/** Causes after which an open watch proves nothing before it delivers something. */
const silentCauses: ReadonlySet<FailureCause> = new Set([...fruitlessCauses, 'short']);

/**
 * Milliseconds without a failure after which a resumed watch counts as open: more than the 30 s within which a server
 * must begin to answer.
 */
const opensWithin = 35_000;

/** The current outage of a kind, if any. */
export class OutageTracker {
  readonly #clock: Clock;
  readonly #onEnd: (outage: Outage) => void;
  #current: Outage | undefined;

  constructor(clock: Clock, onEnd: (outage: Outage) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** Begins an outage, or extends the current one. */
  extend(failure: Pick<Outage, 'during' | 'cause' | 'error'>): Outage {
    const now = this.#clock.now();
    const { since = now, began = this.#clock.date() } = this.#current ?? {};
    return (this.#current = { ...failure, since, began, until: now });
  }

  /** Ends the outage: from now on events are current. */
  end(): void {
    const outage = this.#current;
    if (!outage) return;
    this.#current = undefined;
    this.#onEnd(outage);
  }

  /**
   * Ends the outage when a resumed watch continues without a failure, even without an event. The returned function
   * cancels that.
   */
  scheduleEnd(): () => void {
    if (!this.#current || silentCauses.has(this.#current.cause)) return () => undefined;
    return this.#clock.after(opensWithin, () => this.end());
  }
}

/** A watch delivered nothing for so many milliseconds. */
class IdleTimeoutError extends Error {
  constructor(milliseconds: number) {
    super(`the watch delivered nothing for ${milliseconds / 1000} s, not even a bookmark`);
    this.name = 'IdleTimeoutError';
  }
}

/** A watch ended before it delivered anything. */
export class EmptyWatchError extends Error {
  override name = 'EmptyWatchError';
}

/** The server is at an older version than before. */
export class ResourceVersionDecreasedError extends Error {
  constructor(from: string, to: string) {
    super(`the server was at version ${from}, and is at ${to} now: was a backup restored?`);
    this.name = 'ResourceVersionDecreasedError';
  }
}

/**
 * Returns the cause of a failure; undefined for an error that no server can cause, which is in the program and is not
 * retried.
 */
export function classifyFailure(error: unknown): FailureCause | undefined {
  if (error instanceof ApiError) {
    if (error.isExpired) return 'expired';
    return error.isNotFound ? 'absent' : 'refused';
  }
  if (error instanceof Unreachable) return 'unreachable';
  if (error instanceof Malformed) return 'malformed';
  if (error instanceof TooDeep) return 'too deep';
  if (error instanceof TooLarge) return 'too large';
  if (error instanceof IdleTimeoutError) return 'quiet';
  if (error instanceof EmptyWatchError) return 'short';
  return error instanceof ResourceVersionDecreasedError ? 'went back' : undefined;
}

/**
 * Whether the server cannot stream lists. Servers without WatchList refuse its parameters (400 or 422). Aggregated ones
 * may ignore them and never mark the end of the initial objects.
 */
export function isStreamUnsupported(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 400 || error.status === 422;
  return error instanceof IdleTimeoutError || error instanceof EmptyWatchError;
}

/**
 * Whether the version may be the cause of a refusal. It is then invalid for this server, the kind was removed, or the
 * server has not reached it and perhaps never will.
 */
export function mayRefuseVersion({ status, details }: ApiError): boolean {
  if (status === 400 || status === 404 || status === 422) return true;
  return details.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;
}

interface IdleTimeoutOptions {
  readonly clock: Clock;
  /** Milliseconds. The value may grow from one wait to the next; a decrease takes effect late. */
  readonly idleTimeout: () => number;
  readonly signal: AbortSignal;
}

/**
 * Yields the events of a stream, but waits at most `idleTimeout` for each: then it throws `IdleTimeoutError`. It throws the
 * signal's reason as soon as that aborts. In any case the stream is closed without waiting for that. The caller's time
 * between two events does not count.
 */
export async function* withIdleTimeout<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  { clock, idleTimeout, signal }: IdleTimeoutOptions,
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
  const checkIdle = (): void => {
    const rest = since === undefined ? idleTimeout() : since + idleTimeout() - clock.now();
    if (rest <= 0) end(new IdleTimeoutError(idleTimeout()));
    else cancel = clock.after(rest, checkIdle);
  };
  let cancel = clock.after(idleTimeout(), checkIdle);
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
