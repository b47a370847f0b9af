import { ApiError } from './apierror.ts';

/**
 * For `catch` after a `create`, where an object that exists already is as good as a new one. Every
 * other error is thrown on.
 *
 *     await client.create(Namespace, { metadata: { name } }).catch(ifExists);
 */
export function ifExists(error: unknown): undefined {
  if (error instanceof ApiError && error.isAlreadyExists) return undefined;
  throw error;
}

/**
 * For `catch` after a `get`, `patch` or `delete`, where an object that is not there is no error. Every
 * other error is thrown on.
 *
 *     const found = await client.get(Namespace, { name }).catch(ifGone);
 */
export function ifGone(error: unknown): undefined {
  if (error instanceof ApiError && error.isNotFound) return undefined;
  throw error;
}
