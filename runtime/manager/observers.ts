import type { ControllerObserver } from '../controller/observer.ts';
import type { QueueObserver } from '../queue/work-queue.ts';

/** Tells all of them, in their order. */
export function combineObservers(
  observers: readonly (ControllerObserver | undefined)[],
): ControllerObserver {
  const each = createNotifier(observers);
  return {
    queue: (controller) => combineQueueObservers(observers.map((one) => one?.queue?.(controller))),
    began: (...told) => each((one) => one.began?.(...told)),
    ended: (...told) => each((one) => one.ended?.(...told)),
    paused: (...told) => each((one) => one.paused?.(...told)),
    handlerFailed: (...told) => each((one) => one.handlerFailed?.(...told)),
  };
}

function combineQueueObservers(observers: readonly (QueueObserver | undefined)[]): QueueObserver {
  const each = createNotifier(observers);
  return {
    added: (...told) => each((one) => one.added?.(...told)),
    taken: (...told) => each((one) => one.taken?.(...told)),
    finished: (...told) => each((one) => one.finished?.(...told)),
    retried: (...told) => each((one) => one.retried?.(...told)),
    dropped: (...told) => each((one) => one.dropped?.(...told)),
  };
}

function createNotifier<O>(
  observers: readonly (O | undefined)[],
): (tell: (one: O) => void) => void {
  const there = observers.filter((one) => one !== undefined);
  return (tell) => there.forEach((one) => tell(one));
}
