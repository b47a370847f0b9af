import type { QueueObserver } from '../queue/work-queue.ts';

/**
 * How a reconcile ended:
 *
 * - `done`, `requeue-after`: the result of the function.
 * - `paused`: the object is paused. `gone`: it does not exist, or is being deleted without this controller's finalizer.
 * - `conflict`: the write was based on an outdated object, which is read and reconciled again.
 * - `error`: any other error. `aborted`: it was stopped.
 */
export type Outcome =
  'done' | 'requeue-after' | 'paused' | 'gone' | 'conflict' | 'error' | 'aborted';

/** Observes controllers, for metrics and events. Its methods must not throw. */
export interface ControllerObserver {
  /** Returns the observer of a controller's queue. */
  queue?(controller: string): QueueObserver;
  /** Called when a worker starts a reconcile. */
  began?(controller: string): void;
  /** Called when a reconcile ended, after so many milliseconds. */
  ended?(controller: string, outcome: Outcome, milliseconds: number): void;
  /** Called when an object is paused, and when it no longer is, even because it is gone. */
  paused?(controller: string, object: string, isPaused: boolean): void;
  /** Called when a predicate or mapping threw. Its change causes no reconcile, or one too many. */
  handlerFailed?(controller: string, error: unknown): void;
}
