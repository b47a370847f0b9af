/** The result of a successful reconcile. */
export interface Result {
  /** Milliseconds above 0 after which the object is reconciled again. @default - at the next change */
  readonly requeueAfter?: number | undefined;
}

/** Nothing is left to do until something changes. */
export const done: Result = {};

/**
 * Requests another reconcile of the object after so many milliseconds at most. An earlier reconcile because of a change
 * replaces the request.
 *
 * @example
 * ```ts
 * import { controller, core, done, requeueAfter } from 'tenantry/runtime';
 *
 * const day = 24 * 60 * 60 * 1000;
 *
 * // Logs which namespaces are a day old.
 * export const ages = controller({
 *   name: 'ages',
 *   for: core.Namespace,
 *   async reconcile({ object, clock, log }) {
 *     const age = clock.date().getTime() - Date.parse(object.metadata.creationTimestamp);
 *     if (age < day) return requeueAfter(day - age);
 *     log.info('the namespace is a day old');
 *     return done;
 *   },
 * });
 * ```
 *
 * @throws {RangeError} for a value that is not above 0
 */
export function requeueAfter(milliseconds: number): Result {
  if (!(milliseconds > 0 && Number.isFinite(milliseconds))) {
    throw new RangeError(`requeueAfter must be milliseconds above 0, got ${milliseconds}`);
  }
  return { requeueAfter: milliseconds };
}
