import type { Client } from '@tenantry/runtime/client/client';
import type { Clock } from '@tenantry/runtime/clock/clock';

/** The client, the clock and the limits of an operation on a cluster. */
export interface ClusterOperation {
  readonly client: Client;
  readonly clock: Clock;
  /** Interrupts the operation. Finished steps are kept, and the next run continues. */
  readonly signal: AbortSignal;
  /** The time on the clock by which the operation must be done. */
  readonly deadline: number;
  /** Called with each line of progress. */
  report(line: string): void;
}

/** Reports that a wait timed out, with one reason per line. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly reasons: readonly string[];

  constructor(message: string, reasons: readonly string[] = []) {
    super(message);
    this.reasons = reasons;
  }
}

/** The result of one poll: the value, or what the wait depends on. */
export type PollResult<T> =
  | { readonly done: T }
  | {
      /** What is waited for, and what is known about it. */
      readonly waiting: readonly string[];
      /** True if waiting longer cannot help. */
      readonly isHopeless?: boolean;
    };

/** Milliseconds between two polls. */
const EVERY = 250;

/**
 * Polls until the result is there, and reports what it waits for whenever that changes.
 * @throws {TimeoutError} when the deadline has passed, or waiting longer cannot help
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
