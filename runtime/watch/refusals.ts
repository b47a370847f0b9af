import { ApiError } from '../errors/api-error.ts';
import { IdleTimeoutError, EmptyWatchError } from './reflector-event.ts';

/**
 * Servers without WatchList refuse its parameters (400 or 422); aggregated ones may not know them and
 * never say that all has been told.
 */
export function isStreamUnsupported(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 400 || error.status === 422;
  return error instanceof IdleTimeoutError || error instanceof EmptyWatchError;
}

/**
 * Whether the version may be what is refused: it is none for this server, the kind was taken away, or
 * the server is not yet at it, and perhaps never will be.
 */
export function mayRefuseVersion({ status, details }: ApiError): boolean {
  if (status === 400 || status === 404 || status === 422) return true;
  return details.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;
}
