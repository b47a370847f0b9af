import type { Priority, ReleaseSlot } from './flow-control.ts';
import type { Clock } from '../clock/clock.ts';
import type { ApiError } from '../errors/api-error.ts';

/** The parameters of a query; undefined values are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A request to an API server. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** '/api/v1/namespaces', each part encoded. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** The resource of the call: `pods`, `deployments.apps/status`. @default - only the path identifies it */
  readonly resource?: string | undefined;
  readonly body?: unknown;
  /** @default application/json */
  readonly contentType?: string | undefined;
  /** @default application/json */
  readonly accept?: string | undefined;
  /** @default call */
  readonly priority?: Priority | undefined;
  /** Whether repeating the call has no further effect. @default - true for GET */
  readonly isIdempotent?: boolean | undefined;
  /** Milliseconds from the call to the whole answer, or for a stream to its headers. @default 30,000 */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called once there is a connection, before anything is written to it. If it throws, the call rejects with the error.
   */
  readonly permit?: (() => void) | undefined;
}

/** Formats the call for errors and logs: `GET /api/v1/pods`. */
export function formatCall({ method, path }: Call): string {
  return `${method} ${path}`;
}

const defaultTimeout = 30_000;
const maxRepeats = 10;

/** The attempts of one call: its time limit, and which attempts may be repeated. */
export class Attempts {
  readonly call: Call;
  /** The call as errors name it. */
  readonly request: string;
  readonly deadline: Deadline;
  /** Releases the slot of the running attempt, if it has one. */
  releaseSlot: ReleaseSlot = () => undefined;
  /** Whether the server may have read the call. */
  isSent = false;
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
    if (this.#repeated === maxRepeats || this.#clock.now() + wait >= this.#end) return false;
    this.#repeated += 1;
    return true;
  }
}

/** Combines everything that can end a call into one signal: the caller, the close of the transport, and the timeout. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #parents: readonly AbortSignal[];
  readonly #abort: (this: void, event: Event) => void;
  #stop: () => void = () => {};
  #isTimeout = false;

  constructor(clock: Clock, milliseconds: number, parents: readonly (AbortSignal | undefined)[]) {
    this.#parents = parents.filter((signal) => signal !== undefined);
    this.#abort = ({ target }) => this.#controller.abort((target as AbortSignal).reason);
    for (const parent of this.#parents) {
      if (parent.aborted) this.#controller.abort(parent.reason);
      else parent.addEventListener('abort', this.#abort, { once: true });
    }
    if (milliseconds === Infinity || this.signal.aborted) return;
    this.#stop = clock.after(milliseconds, () => {
      this.#isTimeout = !this.signal.aborted;
      this.#controller.abort();
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isTimeout(): boolean {
    return this.#isTimeout;
  }

  stopClock(): void {
    this.#stop();
  }

  /** Detaches from all signals. Call it when the call is over, because the parent signals live longer. */
  release(): void {
    this.#stop();
    for (const parent of this.#parents) parent.removeEventListener('abort', this.#abort);
  }
}
