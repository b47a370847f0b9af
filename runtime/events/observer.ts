import type { EventInput } from './event.ts';

/**
 * Why an event is lost:
 *
 * - `invalid`: no API server would accept it, for the reason in the error. A programming error.
 * - `limited`: there were too many of this type about this object: 25 at once, then one every 5 minutes.
 * - `full`: too many events are pending.
 * - `refused`: the API server refused it, for example in a terminating namespace or without the access.
 * - `unreachable`: there was no answer, twelve times in two minutes.
 * - `stopped`: it came after the end, or there was no time to write it.
 */
export type LossCause = 'invalid' | 'limited' | 'full' | 'refused' | 'unreachable' | 'stopped';

/** An event that was not written. */
export interface LostEvent {
  readonly cause: LossCause;
  readonly event: EventInput;
  /** Absent if there was no error. */
  readonly error?: unknown;
}

/** Observes the delivery of events, for metrics and logs. Its methods must not throw. */
export interface EventsObserver {
  /** Called when an event was created, or when it became a series or a longer one. */
  written?(how: 'created' | 'counted'): void;
  /** Called when an event, or the count of a series, is lost. */
  lost?(lost: LostEvent): void;
}
