import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';

/** What an API server asks at one path. */
export interface Webhook {
  /** '/convert/redises.example.com': the `path` in the clientConfig of who asks. */
  readonly path: string;
  /** Larger bodies are refused. */
  readonly maxBytes: number;
  /**
   * The answer to a review, as JSON, sent with status 200.
   * @throws {Refused} where there is none
   */
  answer(review: unknown, call: WebhookCall): Promise<object>;
}

/** What a webhook is given besides the review. */
export interface WebhookCall {
  /**
   * Aborts when nobody waits for the answer any more; with `TimedOut` a little before the API server
   * gives up, so that it can still be told why.
   */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Its lines have the path. */
  readonly log: Log;
}

/** A request that has no answer of its API; whoever asked is told the message. */
export class Refused extends Error {
  /** Of HTTP. */
  readonly status: number;

  constructor(status: number, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'Refused';
    this.status = status;
  }
}

/** The time was over that the API server waits for an answer. */
export class TimedOut extends Error {
  constructor(milliseconds: number) {
    super(`there was no answer within ${milliseconds / 1000} s`);
    this.name = 'TimedOut';
  }
}

/** What is told of a failure that is ours: its reason is in the log, and not for everybody. */
export function formatFailure(uid: string): string {
  return `the webhook failed; its log says why, under the uid ${uid}`;
}
