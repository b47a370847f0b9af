import type { EventInput } from './event.ts';

/**
 * Why an event is lost:
 *
 * - `invalid`: no API server would take it; the error says why. A mistake of the program.
 * - `limited`: there were too many of this type about this object: 25 at once, then one in 5 minutes.
 * - `full`: too many wait for being written.
 * - `refused`: the API server did not take it, as in a namespace that goes, or without the access.
 * - `unreachable`: there was no answer, twelve times in two minutes.
 * - `stopped`: it came after the end, or there was no time to write it.
 */
export type LossCause = 'invalid' | 'limited' | 'full' | 'refused' | 'unreachable' | 'stopped';

/** An event that nobody is told of. */
export interface LostEvent {
  readonly cause: LossCause;
  readonly event: EventInput;
  /** Absent where nothing failed. */
  readonly error?: unknown;
}

/** What becomes of events, for metrics and logs. Nothing of it may throw. */
export interface EventsObserver {
  /** A new event is on the API server, or one there is now a series, or a longer one. */
  written?(how: 'created' | 'counted'): void;
  /** An event, or the count of a series, is not told. */
  lost?(lost: LostEvent): void;
}
