import { Agent as PlainAgent, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { rejectOnAbort, systemClock, type Clock } from '../clock/clock.ts';
import { JsonTooDeep } from '@tenantry/kube/json';
import { Malformed, TooDeep, TooLarge, Unreachable } from '../errors/client-errors.ts';
import { toApiError } from '../errors/api-error.ts';
import { Address } from './address.ts';
import { readBody, parseWarnings, sendRequest, type Exchange, traceExchange } from './exchange.ts';
import { Attempts, formatCall, type Call } from './call.ts';
import type { Authorization, Connection } from './connection.ts';
import { KeepAliveAgent, TunnelAgent } from './agents.ts';
import { FlowControl } from './flow-control.ts';
import { Tracing } from '../tracing/tracing.ts';
import { parseJson, parseMarkedJson, stringifyJson, type MarkedJson } from './json.ts';

/** An answer whose body is streamed. */
export interface Stream {
  /** `GET /api/v1/pods`, for errors. */
  readonly request: string;
  readonly status: number;
  /** `application/json`; empty if the server sent none. */
  readonly contentType: string;
  /** The warnings of the server (RFC 7234, 5.5, with the code 299). */
  readonly warnings: readonly string[];
  /**
   * The body. Ends with the answer. Rejects with `Unreachable` if the connection breaks, or with the signal's reason.
   * Leaving the loop early closes the connection.
   */
  readonly chunks: AsyncIterable<string>;
}

/** Observes requests. Must not throw: an error would end the call. */
export interface TransportObserver {
  /** Called for every request that was sent: `code` is the status, or `<error>` if there was no answer. */
  requested?(request: {
    readonly method: string;
    readonly host: string;
    readonly code: string;
    /** Milliseconds until the headers of the answer. */
    readonly milliseconds: number;
  }): void;
  /** Called for each warning in an answer (RFC 7234, 5.5, with the code 299). */
  warned?(warning: string, request: string): void;
}

/** How requests are sent. */
export interface TransportOptions {
  /** The average requests per second. @default - no limit but the server's */
  readonly qps?: number | undefined;
  /** With `qps`: the most saved-up requests that are sent without a pause. @default 30 */
  readonly burst?: number | undefined;
  /**
   * The most concurrent requests, and so connections; further ones are queued. Lease renewals and watches do not count.
   * @default 100
   */
  readonly atOnce?: number | undefined;
  /** The user agent in audit logs. @default tenantry */
  readonly userAgent?: string | undefined;
  readonly observer?: TransportObserver | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/** Milliseconds: less than the minute after which load balancers drop connections. */
const idleConnectionTimeout = 50_000;

/** Milliseconds of silence after which TCP probes check whether the other end still exists. */
const probeAfter = 30_000;

/**
 * HTTP to one API server, with one pool of kept-alive connections and a rate limit. Errors are distinguished by what a
 * caller can do: `ApiError`, `Unreachable`, `Malformed`, the signal's reason.
 *
 * Retries requests that had no effect or are idempotent, within the timeout:
 *
 * - once after a 401, with refreshed credentials;
 * - after a 429 with a Retry-After header;
 * - idempotent calls after other refusals with a Retry-After header;
 * - idempotent calls if a kept-alive connection turns out to be closed.
 */
export class Transport {
  readonly #connection: Connection;
  readonly #address: Address;
  readonly #clock: Clock;
  readonly #flow: FlowControl;
  readonly #observer: TransportObserver;
  readonly #agent: PlainAgent;
  readonly #tracing = new Tracing();
  readonly #closed = new AbortController();

  /** @throws {Error} if the server or its proxy is not an http or https URL */
  constructor(connection: Connection, options: TransportOptions = {}) {
    const { qps = Infinity, burst = 30, atOnce = 100 } = options;
    const { userAgent = 'tenantry', clock = systemClock } = options;
    this.#connection = connection;
    this.#address = new Address(connection.server, userAgent);
    this.#clock = clock;
    this.#flow = new FlowControl({ qps, burst, atOnce, clock });
    this.#observer = options.observer ?? {};
    this.#agent = createAgent(this.#address, connection);
  }

  /** Returns the whole answer, parsed by `parseJson`. */
  async call(call: Call): Promise<unknown> {
    return parseBody(await this.text(call), formatCall(call), parseJson);
  }

  /** Returns the whole answer, parsed by `parseMarkedJson`. */
  async callMarked(call: Call): Promise<MarkedJson> {
    return parseBody(await this.text(call), formatCall(call), parseMarkedJson);
  }

  /** Returns the whole answer as text. */
  async text(call: Call): Promise<string> {
    const attempts = new Attempts(call, this.#clock, this.#closed.signal);
    try {
      const response = await this.#respond(attempts);
      return await this.#read(response, attempts);
    } catch (error) {
      throw this.#resolveError(error, attempts);
    } finally {
      attempts.releaseSlot();
      attempts.deadline.release();
    }
  }

  /** Opens a successful answer whose body is streamed. The timeout covers only its headers. */
  open(call: Call): Promise<Stream> {
    return this.#open(call, (attempts) => this.#respond(attempts));
  }

  /** Opens the first answer, even an error, whose body is streamed. The timeout covers only its headers. */
  openAnyStatus(call: Call): Promise<Stream> {
    return this.#open(call, (attempts) => this.#answer(attempts));
  }

  /** Ends every call and stream with an error, closes all connections, and rejects further requests. */
  close(): void {
    this.#closed.abort(new Error(`the client of ${this.#connection.server} is closed`));
    this.#agent.destroy();
  }

  async #open(
    call: Call,
    respond: (attempts: Attempts) => Promise<IncomingMessage>,
  ): Promise<Stream> {
    const attempts = new Attempts(call, this.#clock, this.#closed.signal);
    try {
      const response = await respond(attempts);
      attempts.releaseSlot();
      attempts.deadline.stopClock();
      response.once('close', () => attempts.deadline.release());
      const { statusCode: status = 0, headers } = response;
      return {
        request: attempts.request,
        status,
        contentType: headers['content-type'] ?? '',
        warnings: parseWarnings(response),
        chunks: this.#readChunks(response, attempts),
      };
    } catch (error) {
      attempts.releaseSlot();
      attempts.deadline.release();
      throw this.#resolveError(error, attempts);
    }
  }

  /** Returns an answer of any status whose body is not read yet. */
  async #answer(attempts: Attempts): Promise<IncomingMessage> {
    for (;;) {
      const response = await this.#send(attempts);
      if (response) return response;
      attempts.releaseSlot();
    }
  }

  /** Returns a successful answer whose body is not read yet. */
  async #respond(attempts: Attempts): Promise<IncomingMessage> {
    const { request, deadline } = attempts;
    for (;;) {
      const response = await this.#answer(attempts);
      const { statusCode: status = 0, headers } = response;
      if (status >= 200 && status < 300) return response;
      const body = await this.#read(response, attempts);
      const { 'retry-after': retryAfter, location } = headers;
      const answer = { status, body, retryAfter, location, request };
      const error = toApiError(answer, this.#clock.date());
      const wait = attempts.computeRetryDelay(error);
      if (wait === undefined) throw error;
      attempts.releaseSlot();
      if (wait > 0) await this.#clock.sleep(wait, deadline.signal);
    }
  }

  /** Returns the answer; undefined if there was none and the call may be sent again. */
  async #send(attempts: Attempts): Promise<IncomingMessage | undefined> {
    const { call, request, deadline } = attempts;
    attempts.releaseSlot = await this.#flow.acquire(call.priority ?? 'call', deadline.signal);
    const authorization = await this.#authorize(attempts);
    const content = call.body === undefined ? undefined : stringifyJson(call.body);
    const options = this.#address.buildRequestOptions(call, content, authorization);
    const started = this.#clock.now();
    const result = await this.#exchange(attempts, options, content);
    if ('refusal' in result) throw result.refusal;
    this.#notifyObserver(call, request, result.response, this.#clock.now() - started);
    if (result.response) {
      attempts.isSent = true;
      return result.response;
    }
    const { error, isConnected, isKept } = result;
    if (isConnected) attempts.isSent = true;
    deadline.signal.throwIfAborted();
    if (attempts.canResendAfterDisconnect(isKept)) return undefined;
    const message = `${this.#connection.server} cannot be reached: ${findMessage(error)}`;
    throw new Unreachable(message, { request, isUnprocessed: !attempts.isSent, cause: error });
  }

  /** Lease renewals are not traced: there is one every two seconds. */
  #exchange(attempts: Attempts, options: RequestOptions, body?: string): Promise<Exchange> {
    const { call, deadline, sent: resends } = attempts;
    attempts.sent += 1;
    const send = (more?: OutgoingHttpHeaders): Promise<Exchange> => {
      const headers = more ? { ...options.headers, ...more } : options.headers;
      const { signal } = deadline;
      const whole = { ...options, headers, agent: this.#agent };
      return sendRequest({ options: whole, body, signal, permit: call.permit });
    };
    if (!this.#tracing.isOn || call.priority === 'lease') return send();
    const url = this.#address.resolveUrl(options.path ?? '');
    return traceExchange(this.#tracing, { call, url, resends }, send);
  }

  async #authorize({ deadline, isRefused, isSent, request }: Attempts): Promise<Authorization> {
    try {
      return await rejectOnAbort(this.#connection.authorize({ isRefused }), deadline.signal);
    } catch (cause) {
      deadline.signal.throwIfAborted();
      const message = `no credentials for ${this.#connection.server}: ${findMessage(cause)}`;
      throw new Unreachable(message, { request, isUnprocessed: !isSent, cause });
    }
  }

  async #read(response: IncomingMessage, attempts: Attempts): Promise<string> {
    try {
      return await readBody(response, attempts.deadline.signal);
    } catch (cause) {
      if (cause instanceof TooLarge) throw new TooLarge(cause.most, attempts.request);
      throw this.#wrapBrokenResponse(cause, attempts);
    }
  }

  async *#readChunks(
    response: IncomingMessage,
    attempts: Attempts,
  ): AsyncGenerator<string, void, undefined> {
    try {
      for await (const chunk of response.setEncoding('utf8')) yield String(chunk);
    } catch (cause) {
      throw this.#wrapBrokenResponse(cause, attempts);
    }
  }

  #wrapBrokenResponse(cause: unknown, attempts: Attempts): unknown {
    const { request } = attempts;
    const message = `${this.#connection.server} broke off its answer: ${findMessage(cause)}`;
    return this.#resolveError(new Unreachable(message, { request, cause }), attempts);
  }

  /** Returns why a call ended: the timeout, the signal's reason, or else the error. */
  #resolveError(error: unknown, { deadline, request, isSent }: Attempts): unknown {
    if (!deadline.signal.aborted) return error;
    if (!deadline.isTimeout) return deadline.signal.reason;
    const message = `${this.#connection.server} did not answer in time`;
    return new Unreachable(message, { request, isUnprocessed: !isSent });
  }

  #notifyObserver(
    { method }: Call,
    request: string,
    response: IncomingMessage | undefined,
    milliseconds: number,
  ): void {
    const code = response ? String(response.statusCode) : '<error>';
    this.#observer.requested?.({ method, host: this.#address.host, code, milliseconds });
    if (!response) return;
    for (const warning of parseWarnings(response)) this.#observer.warned?.(warning, request);
  }
}

function createAgent({ isTls }: Address, { proxy }: Connection): PlainAgent {
  const kept = {
    keepAlive: true,
    keepAliveMsecs: probeAfter,
    scheduling: 'lifo',
    timeout: idleConnectionTimeout,
  } as const;
  if (proxy === undefined) return isTls ? new KeepAliveAgent(kept) : new PlainAgent(kept);
  if (isTls) return new TunnelAgent(proxy, kept);
  throw new Error(`the server must be https where it is reached by a proxy, got 'http'`);
}

function parseBody<T>(text: string, request: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (cause) {
    if (cause instanceof JsonTooDeep) throw new TooDeep(request);
    throw new Malformed('JSON', { request, text, cause });
  }
}

/** Returns the message of the first error if there are several, as for a host with several addresses. */
function findMessage(error: unknown): string {
  const { message = String(error), errors = [] } = error as Partial<AggregateError>;
  return message === '' && errors.length > 0 ? findMessage(errors[0]) : message;
}
