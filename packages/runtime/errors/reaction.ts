import { ApiError } from './api-error.ts';
import { Malformed, Unreachable } from './client-errors.ts';

/**
 * How a caller can react to an error:
 *
 * - `retry`: the same call may succeed later: after the error's `retryAfter`, or else with backoff.
 * - `relist`: the requested version or page has expired; list again.
 * - `reread`: the known state of the object is outdated; read it, and decide again.
 * - `give up`: the same call fails until somebody changes the object, the rights or the program.
 */
export type Reaction = 'retry' | 'relist' | 'reread' | 'give up';

/**
 * Returns how a caller can react to an error of a client:
 *
 * | error | reaction |
 * | --- | --- |
 * | `Unreachable`, `Malformed` | retry |
 * | 401: credentials are read again for each call | retry |
 * | 408, 429, 500 and above but 501 | retry |
 * | 410, `Expired` | relist |
 * | 404 | reread |
 * | 409 `AlreadyExists` with a Retry-After header (a generated name was taken) | retry |
 * | 409, for fields of other managers | give up |
 * | 409, other | reread |
 * | 400, 403, 405, 406, 413, 415, 422, 501, other statuses | give up |
 * | `TooLarge`: list in smaller pages | give up |
 * | `TooDeep` | give up |
 * | `AccessDenied`, an aborted signal, any other error | give up |
 *
 * A write that ended in `Unreachable` may have been stored, so the retry of a `create` may end in 409.
 *
 * @example
 * ```ts
 * import { ApiError, reactionTo, Unreachable } from '@tenantry/runtime';
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

/**
 * Returns one of few words for an error, as a label of metrics: `ECONNREFUSED`, `ERR_MODULE_NOT_FOUND`, or else the
 * name of its class. Errors of Node itself need not be instances of this program's Error.
 */
export function errorLabel(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'other';
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return [code, name].find((word) => typeof word === 'string') ?? 'other';
}

/**
 * Ignores, in the `catch` of a `create`, that the object exists already. Throws every other error again.
 *
 * @example
 * ```ts
 * import { ApiError, core, ifExists, type Client } from '@tenantry/runtime';
 *
 * export async function ensure(client: Client, name: string): Promise<void> {
 *   await client.create(core.Namespace, { metadata: { name } }).catch(ifExists);
 * }
 *
 * console.log(ifExists(new ApiError({ code: 409, reason: 'AlreadyExists' }))); // undefined
 * ```
 */
export function ifExists(error: unknown): undefined {
  if (error instanceof ApiError && error.isAlreadyExists) return undefined;
  throw error;
}

/**
 * Ignores, in the `catch` of a `get`, `patch` or `delete`, that the object does not exist. Throws every other error
 * again.
 *
 * @example
 * ```ts
 * import { ApiError, core, ifGone, type Client } from '@tenantry/runtime';
 *
 * export async function isThere(client: Client, name: string): Promise<boolean> {
 *   return (await client.get(core.Namespace, { name }).catch(ifGone)) !== undefined;
 * }
 *
 * console.log(ifGone(new ApiError({ code: 404 }))); // undefined
 * ```
 */
export function ifGone(error: unknown): undefined {
  if (error instanceof ApiError && error.isNotFound) return undefined;
  throw error;
}

/** Ignores, in the `catch` of an `update`, that the object has changed or does not exist. Throws every other error again. */
export function ifOutdated(error: unknown): undefined {
  if (error instanceof ApiError && (error.isConflict || error.isNotFound)) return undefined;
  throw error;
}

/** Whether the error was caused by the signal: it is its reason, or the error of a call that it ended. */
export function isAborted(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || nameOf(error) === 'AbortError');
}

/** Errors of Node itself, such as DOMException, need not be instances of this program's Error. */
function nameOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
}
