import type { Clock } from '../clock/clock.ts';
import type { ApiError } from '../errors/api-error.ts';
import { formatCall, type Call } from './call.ts';
import { Deadline } from './deadline.ts';
import type { ReleaseSlot } from './flow-control.ts';

const defaultTimeout = 30_000;
const most = 10;

/** The attempts at one call: how long they may go on, and which of them may be made again. */
export class Attempts {
  readonly call: Call;
  /** As errors name it. */
  readonly request: string;
  readonly deadline: Deadline;
  /** Of the attempt that is under way, if one is. */
  endTurn: ReleaseSlot = () => undefined;
  /** The server may have read the call. */
  isSent = false;
  /** How often it was sent, or at least begun to be. */
  sent = 0;
  /** The server did not take the last credentials. */
  isRefused = false;
  readonly #clock: Clock;
  readonly #end: number;
  #repeated = 0;

  constructor(call: Call, clock: Clock, closed: AbortSignal) {
    const { timeout = defaultTimeout, signal } = call;
    this.call = call;
    this.request = formatCall(call);
    this.deadline = new Deadline(clock, timeout, [signal, closed]);
    this.#clock = clock;
    this.#end = clock.now() + timeout;
  }

  /** After a connection broke that had been kept: the server may have closed it just then. */
  canResendAfterDisconnect(isKept: boolean): boolean {
    return isKept && this.#isIdempotent && this.#mayRepeat(0);
  }

  /** Milliseconds to wait before the next attempt; undefined: the refusal is the answer. */
  computeRetryDelay(error: ApiError): number | undefined {
    if (error.isUnauthorized && !this.isRefused) {
      this.isRefused = true;
      return 0;
    }
    const { retryAfter, isTooManyRequests, isServerError } = error;
    if (retryAfter === undefined) return undefined;
    const isHarmless = isTooManyRequests || (isServerError && this.#isIdempotent);
    return isHarmless && this.#mayRepeat(retryAfter) ? retryAfter : undefined;
  }

  get #isIdempotent(): boolean {
    return this.call.isIdempotent ?? this.call.method === 'GET';
  }

  #mayRepeat(wait: number): boolean {
    if (this.#repeated === most || this.#clock.now() + wait >= this.#end) return false;
    this.#repeated += 1;
    return true;
  }
}
