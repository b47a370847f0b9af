import type { Client } from '../../runtime/client/client.ts';
import type { Clock } from '../../runtime/clock/clock.ts';

/** By what something is done to a cluster, and how long it may take. */
export interface ClusterOperation {
  readonly client: Client;
  readonly clock: Clock;
  /** Ends it; what is done by then stays, and the same is gone on with next time. */
  readonly signal: AbortSignal;
  /** When it must be done, by the clock. */
  readonly deadline: number;
  /** Told of what goes on, a line each. */
  report(line: string): void;
}

/** What was waited for did not come: why, a line each. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly reasons: readonly string[];

  constructor(message: string, reasons: readonly string[] = []) {
    super(message);
    this.reasons = reasons;
  }
}

/** What a look says: it is so, or how it stands. */
export type PollResult<T> =
  | { readonly done: T }
  | {
      /** What is waited for, and what is known of it. */
      readonly waiting: readonly string[];
      /** It will not come: there is nothing to wait for. */
      readonly isHopeless?: boolean;
    };

/** Milliseconds between two looks. */
const EVERY = 250;

/**
 * Looks until it is so, and tells what it waits for whenever that changes.
 * @throws {TimeoutError} when the deadline has passed, or it will not come
 */
export async function waitUntil<T>(
  { clock, signal, deadline, report }: ClusterOperation,
  what: string,
  look: () => Promise<PollResult<T>>,
): Promise<T> {
  let lastLine = '';
  for (;;) {
    signal.throwIfAborted();
    const seen = await look();
    if ('done' in seen) return seen.done;
    const { waiting, isHopeless = false } = seen;
    if (isHopeless) throw new TimeoutError(`${what} failed`, waiting);
    if (clock.now() >= deadline) throw new TimeoutError(`${what} was not so in time`, waiting);
    const line = [`waiting: ${what}`, ...waiting.slice(0, 3)].join('; ');
    if (line !== lastLine) report(line);
    lastLine = line;
    await clock.sleep(EVERY, signal);
  }
}
