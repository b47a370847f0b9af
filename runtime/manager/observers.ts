import type { ControllerObserver } from '../controller/observer.ts';
import type { QueueObserver } from '../queue/work-queue.ts';

/** Tells all of them, in their order. */
export function tellAll(
  observers: readonly (ControllerObserver | undefined)[],
): ControllerObserver {
  const each = eachOf(observers);
  return {
    queue: (controller) => tellAllQueues(observers.map((one) => one?.queue?.(controller))),
    began: (...told) => each((one) => one.began?.(...told)),
    ended: (...told) => each((one) => one.ended?.(...told)),
    paused: (...told) => each((one) => one.paused?.(...told)),
    handlerFailed: (...told) => each((one) => one.handlerFailed?.(...told)),
  };
}

function tellAllQueues(observers: readonly (QueueObserver | undefined)[]): QueueObserver {
  const each = eachOf(observers);
  return {
    added: (...told) => each((one) => one.added?.(...told)),
    taken: (...told) => each((one) => one.taken?.(...told)),
    finished: (...told) => each((one) => one.finished?.(...told)),
    retried: (...told) => each((one) => one.retried?.(...told)),
    dropped: (...told) => each((one) => one.dropped?.(...told)),
  };
}

function eachOf<O>(observers: readonly (O | undefined)[]): (tell: (one: O) => void) => void {
  const there = observers.filter((one) => one !== undefined);
  return (tell) => there.forEach((one) => tell(one));
}
