import { ApiError } from '../errors/api-error.ts';
import { IdleTimeoutError, EmptyWatchError } from './reflector-event.ts';

/**
 * Whether the server cannot stream lists. Servers without WatchList refuse its parameters (400 or 422). Aggregated ones
 * may ignore them and never mark the end of the initial objects.
 */
export function isStreamUnsupported(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 400 || error.status === 422;
  return error instanceof IdleTimeoutError || error instanceof EmptyWatchError;
}

/**
 * Whether the version may be the cause of a refusal. It is then invalid for this server, the kind was removed, or the
 * server has not reached it and perhaps never will.
 */
export function mayRefuseVersion({ status, details }: ApiError): boolean {
  if (status === 400 || status === 404 || status === 422) return true;
  return details.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;
}
