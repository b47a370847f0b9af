import type { QueueObserver } from '../queue/work-queue.ts';

/**
 * How a reconcile ended:
 *
 * - `done`, `requeue-after`: as the function returned.
 * - `paused`: the object was left alone. `gone`: it is not there, or goes without a finalizer of ours.
 * - `conflict`: what was written was outdated; it is read and decided again.
 * - `error`: anything else was thrown. `aborted`: it was stopped.
 */
export type Outcome =
  'done' | 'requeue-after' | 'paused' | 'gone' | 'conflict' | 'error' | 'aborted';

/** What happens in controllers, for metrics and events. Nothing of it may throw. */
export interface ControllerObserver {
  /** For the queue of a controller. */
  queue?(controller: string): QueueObserver;
  /** A worker begins. */
  began?(controller: string): void;
  /** It ended after so many milliseconds. */
  ended?(controller: string, outcome: Outcome, milliseconds: number): void;
  /** An object began to be left alone, or is no longer, be it that it is gone. */
  paused?(controller: string, object: string, isPaused: boolean): void;
  /** A predicate or mapping threw; what it was asked of leads to no reconcile, or to one too many. */
  handlerFailed?(controller: string, error: unknown): void;
}
