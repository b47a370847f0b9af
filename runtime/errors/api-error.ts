/** One of several causes of a refusal (meta/v1, StatusCause). */
export interface StatusCause {
  /** `FieldValueInvalid`, `FieldManagerConflict`, `NamespaceTerminating`, ... */
  readonly reason?: string;
  readonly message?: string;
  /** `spec.replicas` */
  readonly field?: string;
}

/** What a refusal is about (meta/v1, StatusDetails). */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The plural, in most answers. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** How an API server refuses (meta/v1, Status); every field may be absent. */
export interface Status {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
  /** Of a list whose page has expired: by which it goes on, at a newer state (meta/v1, ListMeta). */
  readonly metadata?: { readonly continue?: string };
}

/** What is known of a refusal besides its Status. */
export interface ApiErrorContext {
  /** `GET /api/v1/namespaces/shop`. */
  readonly request?: string | undefined;
  /** Milliseconds, by the header Retry-After; it goes before the one of the Status. */
  readonly retryAfter?: number | undefined;
}

/**
 * The server answered, and refused. `reactionTo` says what a caller can do about it; the getters ask
 * for one refusal, by its reason where several have one status.
 */
export class ApiError extends Error {
  /** Of HTTP: 404. */
  readonly status: number;
  /** In one word of the server's, `NotFound`; `Unknown` where it said none. */
  readonly reason: string;
  readonly details: StatusDetails;
  /**
   * Milliseconds after which the server wants to be asked again, where it said so; of more than 1,000,000 (a
   * little over 16 minutes) that many, as nobody is kept away for a day by something in between.
   */
  readonly retryAfter: number | undefined;
  /**
   * Of a page that has expired: the `continue` by which the list goes on from there, with what comes after as it
   * is now. All of it then shows no one state. Undefined where the server gave none.
   */
  readonly continue: string | undefined;
  /** `GET /api/v1/namespaces/shop`; undefined where the error is an event of a watch. */
  readonly request: string | undefined;

  constructor(status: Status, { request, retryAfter }: ApiErrorContext = {}) {
    const code = typeof status.code === 'number' ? status.code : 500;
    const reason = textOf(status.reason) ?? reasons[code] ?? 'Unknown';
    super(textOf(status.message) ?? `the server answered ${code} ${reason}`);
    this.name = 'ApiError';
    this.status = code;
    this.reason = reason;
    this.details = detailsOf(status.details);
    const asked = retryAfter ?? this.#saidRetryAfter;
    this.retryAfter = asked === undefined ? undefined : Math.min(asked, longestRetryAfter);
    this.continue = textOf(status.metadata?.continue);
    this.request = request;
  }

  /** The object is not there, or nothing of its kind is served. */
  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** What was written is not the newest state, or other managers own fields of it. */
  get isConflict(): boolean {
    return this.status === 409 && this.reason !== 'AlreadyExists';
  }

  get isAlreadyExists(): boolean {
    return this.status === 409 && this.reason === 'AlreadyExists';
  }

  /** A server-side apply without `force` met fields that others own; they are in `details.causes`. */
  get isFieldConflict(): boolean {
    return this.isConflict && this.#has('FieldManagerConflict');
  }

  /** Who asks is not known: no credentials, or ones that have expired. */
  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  /** RBAC or an admission plugin refused. */
  get isForbidden(): boolean {
    return this.status === 403;
  }

  /** Nothing can be created in the namespace any more. */
  get isNamespaceTerminating(): boolean {
    return this.status === 403 && this.#has('NamespaceTerminating');
  }

  /** The schema, a rule or a webhook refused the object; which fields is in `details.causes`. */
  get isInvalid(): boolean {
    return this.status === 422;
  }

  /** The resourceVersion or the page that was asked for is too old: list anew. */
  get isExpired(): boolean {
    return this.status === 410 || this.reason === 'Expired';
  }

  get isTooManyRequests(): boolean {
    return this.status === 429;
  }

  /** The fault is the server's, or that of something between it and us. */
  get isServerError(): boolean {
    return this.status >= 500;
  }

  get #saidRetryAfter(): number | undefined {
    const { retryAfterSeconds: seconds } = this.details;
    return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
  }

  #has(cause: string): boolean {
    return this.details.causes?.some((one) => one?.reason === cause) ?? false;
  }
}

const longestRetryAfter = 1_000_000;

/** What an answer says need not be of the type that it should be of. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function detailsOf(details: StatusDetails | null | undefined): StatusDetails {
  if (typeof details !== 'object' || details === null) return {};
  if (details.causes === undefined || Array.isArray(details.causes)) return details;
  const { causes: _, ...rest } = details;
  return rest;
}

/** What API servers say with each status, for answers of something in between, which say nothing. */
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
