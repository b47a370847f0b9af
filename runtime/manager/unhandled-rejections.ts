/** A handler of rejections that is told until `end`. */
export interface RejectionHandler {
  end(): void;
}

/**
 * Handles rejected promises that nobody waits for, as of a reconcile without `await`: Node would end the process for
 * them, at each start anew, and no object would be reconciled any more.
 */
export function handleRejections(handle: (error: unknown) => void): RejectionHandler {
  const listener = (error: unknown): void => handle(error);
  process.on('unhandledRejection', listener);
  return { end: () => void process.removeListener('unhandledRejection', listener) };
}
