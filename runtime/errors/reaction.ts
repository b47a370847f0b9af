import { ApiError } from './api-error.ts';
import { Malformed } from './malformed.ts';
import { Unreachable } from './unreachable.ts';

/**
 * What a caller can do about an error:
 *
 * - `retry`: the same call may succeed later: after `retryAfter` where the error has it, with backoff.
 * - `relist`: the version or page that was asked for is gone; list anew.
 * - `reread`: what is known of the object is outdated; read it, and decide again.
 * - `give up`: the same call fails until somebody changes the object, the rights or the program.
 */
export type Reaction = 'retry' | 'relist' | 'reread' | 'give up';

/**
 * How a caller can react to an error of a client:
 *
 * | error | reaction |
 * | --- | --- |
 * | `Unreachable`, `Malformed` | retry |
 * | 401: credentials are read anew for each call | retry |
 * | 408, 429, 500 and above but 501 | retry |
 * | 410, `Expired` | relist |
 * | 404 | reread |
 * | 409 `AlreadyExists`, where the server says when to try again (a generated name was taken) | retry |
 * | 409, of fields that others own | give up |
 * | 409, other | reread |
 * | 400, 403, 405, 406, 413, 415, 422, 501, other statuses | give up |
 * | `TooLarge`: list in smaller pages | give up |
 * | `TooDeep` | give up |
 * | `AccessDenied`, an aborted signal, whatever else was thrown | give up |
 *
 * A write that ended in `Unreachable` may have been stored: to retry a `create` may end in 409.
 *
 * @example
 * ```ts
 * import { ApiError, reactionTo, Unreachable } from 'tenantry/runtime';
 *
 * console.log(reactionTo(new Unreachable('connection refused'))); // retry
 * console.log(reactionTo(new ApiError({ code: 409, reason: 'Conflict' }))); // reread
 * console.log(reactionTo(new ApiError({ code: 422, reason: 'Invalid' }))); // give up
 * ```
 */
export function reactionTo(error: unknown): Reaction {
  if (error instanceof Unreachable || error instanceof Malformed) return 'retry';
  if (!(error instanceof ApiError)) return 'give up';
  if (error.isExpired) return 'relist';
  if (error.isNotFound) return 'reread';
  if (error.isAlreadyExists && error.retryAfter !== undefined) return 'retry';
  if (error.isFieldConflict) return 'give up';
  if (error.status === 409) return 'reread';
  const isLater = error.status === 401 || error.status === 408 || error.status === 429;
  return isLater || (error.status >= 500 && error.status !== 501) ? 'retry' : 'give up';
}
