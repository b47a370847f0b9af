import { parseJson } from '../../kube/json.ts';
import { formatBrief } from '../../kube/problem.ts';
import { ApiError, type Status } from './api-error.ts';

/** An answer with an unsuccessful status. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  /** The unparsed Retry-After header. */
  readonly retryAfter?: string | undefined;
  /** The unparsed Location header. */
  readonly location?: string | undefined;
  readonly request?: string | undefined;
}

/**
 * Returns the error for an unsuccessful answer: of the API server, which sends a Status, or of an intermediary, whose
 * text becomes the message. `now` is the time to which a date in Retry-After is relative.
 */
export function toApiError(
  { status, body, retryAfter, location, request }: ErrorResponse,
  now: Date,
): ApiError {
  const context = { request, retryAfter: parseRetryAfter(retryAfter, now) };
  const read = parseStatus(body);
  if (read) return new ApiError({ ...read, code: status }, context);
  if (location !== undefined && status >= 300 && status < 400) {
    const message = `the server answered ${status} with a redirect to ${formatBrief(redactLocation(location))}, which is not followed`;
    return new ApiError({ code: status, message }, context);
  }
  const text = body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return new ApiError(
    { code: status, ...(text !== '' && { message: formatBrief(text) }) },
    context,
  );
}

/** Without user and query, which may be secrets. */
function redactLocation(location: string): string {
  const url = URL.canParse(location) ? new URL(location) : undefined;
  return url ? `${url.protocol}//${url.host}${url.pathname}` : (location.split(/[?#]/)[0] ?? '');
}

function parseStatus(body: string): Status | undefined {
  if (!body.startsWith('{')) return undefined;
  try {
    const read = parseJson(body) as { readonly kind?: unknown } & Status;
    return read.kind === 'Status' ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Parses seconds or a date (RFC 9110, 10.2.3); undefined for anything else. */
export function parseRetryAfter(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  const text = retryAfter.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
