/** What a reconcile came to, when it did not fail. */
export interface Result {
  /** Milliseconds above 0 after which the object is looked at again. @default - when something changes */
  readonly requeueAfter?: number | undefined;
}

/** Nothing is left to do until something changes. */
export const done: Result = {};

/**
 * The object is looked at again after so many milliseconds at the latest; earlier when something
 * changes, and then what that reconcile returns holds.
 *
 * @example
 * ```ts
 * import { controller, core, done, requeueAfter } from 'tenantry/runtime';
 *
 * const day = 24 * 60 * 60 * 1000;
 *
 * // Says which namespaces are a day old.
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
 * @throws {RangeError} for what is not above 0
 */
export function requeueAfter(milliseconds: number): Result {
  if (!(milliseconds > 0 && Number.isFinite(milliseconds))) {
    throw new RangeError(`requeueAfter must be milliseconds above 0, got ${milliseconds}`);
  }
  return { requeueAfter: milliseconds };
}
