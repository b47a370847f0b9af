import { parseJson } from '@tenantry/kube/json';
import { omitUndefined } from '@tenantry/kube/mapping';
import { formatBrief } from '@tenantry/kube/problem';

/** One of several causes of a refusal (meta/v1, StatusCause). */
export interface StatusCause {
  /** `FieldValueInvalid`, `FieldManagerConflict`, `NamespaceTerminating`, ... */
  readonly reason?: string;
  readonly message?: string;
  /** `spec.replicas` */
  readonly field?: string;
}

/** The subject of a refusal (meta/v1, StatusDetails). */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The plural, in most answers. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The Status with which an API server refuses (meta/v1, Status); every field may be absent. */
export interface Status {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
  /** For an expired page of a list: the token that continues it in a newer state (meta/v1, ListMeta). */
  readonly metadata?: { readonly continue?: string };
}

/** What is known of a refusal in addition to its Status. */
export interface ApiErrorContext {
  /** `GET /api/v1/namespaces/shop`. */
  readonly request?: string | undefined;
  /** Milliseconds of the Retry-After header, which takes precedence over the Status. */
  readonly retryAfter?: number | undefined;
}

/**
 * A refusal by the server. `reactionTo` returns how a caller can react. The getters each test for one kind of refusal,
 * by reason if several share a status.
 */
export class ApiError extends Error {
  /** The HTTP status: 404. */
  readonly status: number;
  /** The server's reason, `NotFound`; `Unknown` if it gave none. */
  readonly reason: string;
  readonly details: StatusDetails;
  /**
   * Milliseconds after which the server accepts a retry, if it sent them. At most 1,000,000 (a little over 16 minutes),
   * so that no intermediary keeps callers away for a day.
   */
  readonly retryAfter: number | undefined;
  /**
   * For an expired page: the `continue` token with which the list continues in the current state. The whole list is then
   * not a consistent snapshot. Undefined if the server sent none.
   */
  readonly continue: string | undefined;
  /** `GET /api/v1/namespaces/shop`; undefined for an error event of a watch. */
  readonly request: string | undefined;

  constructor(status: Status, { request, retryAfter }: ApiErrorContext = {}) {
    const code = typeof status.code === 'number' ? status.code : 500;
    const reason = toText(status.reason) ?? reasons[code] ?? 'Unknown';
    super(toText(status.message) ?? `the server answered ${code} ${reason}`);
    this.name = 'ApiError';
    this.status = code;
    this.reason = reason;
    this.details = readDetails(status.details);
    const requested = retryAfter ?? this.#retryAfterOfDetails;
    this.retryAfter = requested === undefined ? undefined : Math.min(requested, maxRetryAfter);
    this.continue = toText(status.metadata?.continue);
    this.request = request;
  }

  /** The object does not exist, or its kind is not served. */
  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** The written object is not based on the newest state, or other managers own its fields. */
  get isConflict(): boolean {
    return this.status === 409 && this.reason !== 'AlreadyExists';
  }

  get isAlreadyExists(): boolean {
    return this.status === 409 && this.reason === 'AlreadyExists';
  }

  /** A server-side apply without `force` met fields of other managers, which `details.causes` lists. */
  get isFieldConflict(): boolean {
    return this.isConflict && this.#has('FieldManagerConflict');
  }

  /** The caller is not authenticated: the credentials are missing or have expired. */
  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  /** RBAC or an admission plugin refused the request. */
  get isForbidden(): boolean {
    return this.status === 403;
  }

  /** The namespace is terminating, so nothing can be created in it. */
  get isNamespaceTerminating(): boolean {
    return this.status === 403 && this.#has('NamespaceTerminating');
  }

  /** The schema, a rule or a webhook refused the object; `details.causes` lists the fields. */
  get isInvalid(): boolean {
    return this.status === 422;
  }

  /** The requested resourceVersion or page is too old; list again. */
  get isExpired(): boolean {
    return this.status === 410 || this.reason === 'Expired';
  }

  get isTooManyRequests(): boolean {
    return this.status === 429;
  }

  /** The error is in the server or an intermediary. */
  get isServerError(): boolean {
    return this.status >= 500;
  }

  get #retryAfterOfDetails(): number | undefined {
    const { retryAfterSeconds: seconds } = this.details;
    return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
  }

  #has(cause: string): boolean {
    return this.details.causes?.some((one) => one?.reason === cause) ?? false;
  }
}

const maxRetryAfter = 1_000_000;

/** The type of a field in an answer is not guaranteed. */
function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readDetails(details: StatusDetails | null | undefined): StatusDetails {
  if (typeof details !== 'object' || details === null) return {};
  if (details.causes === undefined || Array.isArray(details.causes)) return details;
  const { causes: _, ...rest } = details;
  return rest;
}

/** The reasons of API servers by status, for answers of an intermediary without a Status. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  /** The unparsed Retry-After header. */
  readonly retryAfter?: string | undefined;
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
    omitUndefined({ code: status, message: text !== '' ? formatBrief(text) : undefined }),
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
