import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';

/** A webhook, which an API server calls at one path. */
export interface Webhook {
  /** '/convert/redises.example.com': the `path` in the clientConfig of the API server's configuration. */
  readonly path: string;
  /** Larger bodies are refused. */
  readonly maxBytes: number;
  /**
   * Returns the answer to a review, as JSON, sent with status 200.
   * @throws {Refused} if there is none
   */
  answer(review: unknown, call: WebhookCall): Promise<object>;
}

/** The arguments of a webhook besides the review. */
export interface WebhookCall {
  /**
   * Aborts when nobody waits for the answer any more. A little before the API server gives up, it aborts with
   * `TimedOut`, so that an answer can still explain it.
   */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** A log whose lines contain the path. */
  readonly log: Log;
}

/** A request that cannot be answered in its API. The client receives the message. */
export class Refused extends Error {
  /** The HTTP status. */
  readonly status: number;

  constructor(status: number, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'Refused';
    this.status = status;
  }
}

/** The API server's timeout for the answer is over. */
export class TimedOut extends Error {
  constructor(milliseconds: number) {
    super(`there was no answer within ${milliseconds / 1000} s`);
    this.name = 'TimedOut';
  }
}

/** Returns the message of an internal error. Its cause is only in the log, because it is not for everybody. */
export function formatFailure(uid: string): string {
  return `the webhook failed; see its log under the uid ${uid}`;
}
