import type { Clock } from '../clock/clock.ts';
import type { ApiError } from '../errors/api-error.ts';
import { formatCall, type Call } from './call.ts';
import { Deadline } from './deadline.ts';
import type { ReleaseSlot } from './flow-control.ts';

const defaultTimeout = 30_000;
const most = 10;

/** The attempts of one call: its time limit, and which attempts may be repeated. */
export class Attempts {
  readonly call: Call;
  /** The call as errors name it. */
  readonly request: string;
  readonly deadline: Deadline;
  /** Ends the turn of the running attempt, if there is one. */
  endTurn: ReleaseSlot = () => undefined;
  /** Whether the server may have read the call. */
  isSent = false;
  /** The number of attempts to send it. */
  sent = 0;
  /** Whether the server refused the last credentials. */
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

  /** Whether to repeat after a kept-alive connection broke: the server may have closed it at that moment. */
  canResendAfterDisconnect(isKept: boolean): boolean {
    return isKept && this.#isIdempotent && this.#mayRepeat(0);
  }

  /** Returns the milliseconds until the next attempt; undefined if the refusal is final. */
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
