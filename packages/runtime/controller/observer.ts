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
  /** Called when an object is paused. */
  paused?(controller: string, object: string): void;
  /** Called when an object is no longer paused, even because it is gone. */
  resumed?(controller: string, object: string): void;
  /** Called when a predicate or mapping threw. Its change causes no reconcile, or one too many. */
  handlerFailed?(controller: string, error: unknown): void;
}

/** Combines observers, which are called in order. */
export function combineObservers(
  observers: readonly (ControllerObserver | undefined)[],
): ControllerObserver {
  const each = createNotifier(observers);
  return {
    queue: (controller) => combineQueueObservers(observers.map((one) => one?.queue?.(controller))),
    began: (...args) => each((one) => one.began?.(...args)),
    ended: (...args) => each((one) => one.ended?.(...args)),
    paused: (...args) => each((one) => one.paused?.(...args)),
    resumed: (...args) => each((one) => one.resumed?.(...args)),
    handlerFailed: (...args) => each((one) => one.handlerFailed?.(...args)),
  };
}

function combineQueueObservers(observers: readonly (QueueObserver | undefined)[]): QueueObserver {
  const each = createNotifier(observers);
  return {
    added: (...args) => each((one) => one.added?.(...args)),
    taken: (...args) => each((one) => one.taken?.(...args)),
    finished: (...args) => each((one) => one.finished?.(...args)),
    retried: (...args) => each((one) => one.retried?.(...args)),
    dropped: (...args) => each((one) => one.dropped?.(...args)),
  };
}

function createNotifier<O>(
  observers: readonly (O | undefined)[],
): (notify: (one: O) => void) => void {
  const there = observers.filter((one) => one !== undefined);
  return (notify) => there.forEach((one) => notify(one));
}
