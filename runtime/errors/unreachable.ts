/** What is known of a call without an answer. */
export interface UnreachableContext {
  /** `GET /api/v1/namespaces/shop`. */
  readonly request?: string | undefined;
  /** @default false */
  readonly isUnprocessed?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * There was no answer, or it broke off: the connection was refused, reset or not trusted, or timed out. The call may
 * still have had its effect, unless `isUnprocessed`.
 */
export class Unreachable extends Error {
  readonly request: string | undefined;
  /** Whether nothing was sent because there was no connection yet. */
  readonly isUnprocessed: boolean;

  constructor(message: string, context: UnreachableContext = {}) {
    super(message, context.cause === undefined ? {} : { cause: context.cause });
    this.name = 'Unreachable';
    this.request = context.request;
    this.isUnprocessed = context.isUnprocessed ?? false;
  }
}
