import type { ControllerObserver } from '../controller/observer.ts';
import type { QueueObserver } from '../queue/work-queue.ts';

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
): (tell: (one: O) => void) => void {
  const there = observers.filter((one) => one !== undefined);
  return (tell) => there.forEach((one) => tell(one));
}
