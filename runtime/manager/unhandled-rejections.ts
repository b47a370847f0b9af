/** A handler of rejections that is called until `end`. */
export interface RejectionHandler {
  end(): void;
}

/**
 * Handles unhandled rejections, for example of a reconcile without `await`. Node would end the process for them, again
 * after each restart, and nothing would be reconciled any more.
 */
export function handleRejections(handle: (error: unknown) => void): RejectionHandler {
  const listener = (error: unknown): void => handle(error);
  process.on('unhandledRejection', listener);
  return { end: () => void process.removeListener('unhandledRejection', listener) };
}
