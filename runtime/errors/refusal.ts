import { parseJson } from '../../kube/json.ts';
import { brief } from '../../kube/problem.ts';
import { ApiError, type Status } from './api-error.ts';

/** An answer whose status is not one of success. */
export interface RefusedAnswer {
  readonly status: number;
  readonly body: string;
  /** The header Retry-After, as it came. */
  readonly retryAfter?: string | undefined;
  /** The header Location, as it came. */
  readonly location?: string | undefined;
  readonly request?: string | undefined;
}

/**
 * The error that a refusal is: of the API server, which sends a Status, or of something in between,
 * whose text becomes the message. `now` is what a date in Retry-After is counted from.
 */
export function refusalOf(
  { status, body, retryAfter, location, request }: RefusedAnswer,
  now: Date,
): ApiError {
  const context = { request, retryAfter: millisecondsOf(retryAfter, now) };
  const read = statusIn(body);
  if (read) return new ApiError({ ...read, code: status }, context);
  if (location !== undefined && status >= 300 && status < 400) {
    const message = `the server answered ${status}: it leads to ${brief(placeOf(location))}, and is not followed`;
    return new ApiError({ code: status, message }, context);
  }
  const text = body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return new ApiError({ code: status, ...(text !== '' && { message: brief(text) }) }, context);
}

/** Without user and query, which may be secrets. */
function placeOf(location: string): string {
  const url = URL.canParse(location) ? new URL(location) : undefined;
  return url ? `${url.protocol}//${url.host}${url.pathname}` : (location.split(/[?#]/)[0] ?? '');
}

function statusIn(body: string): Status | undefined {
  if (!body.startsWith('{')) return undefined;
  try {
    const read = parseJson(body) as { readonly kind?: unknown } & Status;
    return read.kind === 'Status' ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds or a date (RFC 9110, 10.2.3); undefined for what is neither. */
export function millisecondsOf(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  const text = retryAfter.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
