import { ApiError } from '../../runtime/errors/api-error.ts';

/** The most characters of an error that a status shows. */
const LONGEST_ERROR = 240;

/** Describes an error in one line of a status: `Forbidden: networkpolicies "isolation" is forbidden: ...`. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const words = error instanceof ApiError ? `${error.reason}: ${message}` : message;
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST_ERROR ? `${line.slice(0, LONGEST_ERROR - 1)}…` : line;
}
