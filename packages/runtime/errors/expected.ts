import { ApiError } from './api-error.ts';

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

/** Whether the error was caused by the signal: it is its reason, or the error of a call that it ended. */
export function isAborted(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || nameOf(error) === 'AbortError');
}

/** Errors of Node itself, such as DOMException, need not be instances of this program's Error. */
function nameOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
}
