import { request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest, type RequestOptions } from 'node:https';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { SpanAttributes, Tracing } from '../tracing/tracing.ts';
import type { Call } from './call.ts';
import { maxTextLength, TooLarge } from '../errors/client-errors.ts';

/** The result of one request: the headers of an answer, a refused permit, or no answer. */
export type Exchange =
  | { readonly response: IncomingMessage }
  | { readonly response?: undefined; readonly refusal: unknown }
  | {
      readonly response?: undefined;
      readonly error: unknown;
      /** Whether there was a connection, so that the server may have read the request. */
      readonly isConnected: boolean;
      /** Whether the connection was kept alive, so that the server may have closed it meanwhile. */
      readonly isKept: boolean;
    };

interface ExchangeProps {
  readonly options: RequestOptions;
  readonly body: string | undefined;
  /** Aborts the request, and later the answer. */
  readonly signal: AbortSignal;
  /** Called once there is a connection. If it throws, nothing is sent. */
  readonly permit?: (() => void) | undefined;
}

/** Sends one request, and waits for the headers of the answer. Never rejects. */
export function sendRequest({ options, body, signal, permit }: ExchangeProps): Promise<Exchange> {
  return new Promise((resolve) => {
    const isTls = options.protocol !== 'http:';
    let request: ClientRequest;
    try {
      request = (isTls ? tlsRequest : plainRequest)(options);
    } catch (error) {
      // Node refused a header or a certificate.
      return resolve({ error, isConnected: false, isKept: false });
    }
    let isConnected = false;
    const send = (): void => {
      try {
        permit?.();
      } catch (refusal) {
        resolve({ refusal });
        request.destroy();
        return;
      }
      request.end(body);
    };
    const abort = (): void => void request.destroy();
    request.on('close', () => signal.removeEventListener('abort', abort));
    request.on('socket', (socket) => {
      isConnected = request.reusedSocket;
      // A reused socket emits no connect event, and would keep the listener as long as it lives.
      if (isConnected) return send();
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        isConnected = true;
        send();
      });
    });
    request.on('error', (error) => {
      resolve({ error, isConnected, isKept: request.reusedSocket });
    });
    request.on('response', (response) => resolve({ response }));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}

interface TracedRequest {
  readonly call: Call;
  readonly url: URL;
  /** The number of earlier attempts. */
  readonly resends: number;
}

/**
 * Sends a request within a span that ends at the headers of the answer, by the conventions for HTTP clients
 * (https://opentelemetry.io/docs/specs/semconv/http/http-spans/). The request carries the span's headers.
 */
export function traceExchange(
  tracing: Tracing,
  { call: { method, resource }, url, resends }: TracedRequest,
  send: (headers?: Readonly<Record<string, string>>) => Promise<Exchange>,
): Promise<Exchange> {
  const name = resource === undefined ? method : `${method} ${resource}`;
  const attributes: SpanAttributes = omitUndefined({
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    'url.full': url.href,
    'tenantry.resource': resource,
    'http.request.resend_count': resends > 0 ? resends : undefined,
  });
  return tracing.withSpan({ name, kind: 'client', attributes }, async (span) => {
    const result = await send(span?.headers);
    if (result.response) {
      const { statusCode: status = 0 } = result.response;
      span?.set({ 'http.response.status_code': status });
      if (status >= 400) span?.failBy(String(status));
    } else if ('refusal' in result) span?.fail(result.refusal);
    else span?.fail(result.error);
    return result;
  });
}

/**
 * Reads the whole body, by events: the iterator of a stream would create promises for each chunk. Rejects with
 * `TooLarge` for more than `most` characters.
 */
export function readBody(
  response: IncomingMessage,
  signal: AbortSignal,
  most = maxTextLength,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let isOver = false;
    const add = (chunk: string): void => {
      text += chunk;
      if (text.length <= most) return;
      text = '';
      reject(new TooLarge(most));
      response.destroy();
    };
    const breakOff = (): void => {
      if (!isOver) reject(new Error('aborted'));
    };
    response.setEncoding('utf8').on('data', add);
    response.on('end', () => {
      isOver = true;
      // Node discards the rest of an aborted answer, which then ends normally.
      if (signal.aborted) reject(signal.reason);
      else resolve(text);
    });
    response.on('error', reject);
    response.on('close', breakOff);
    if (response.destroyed) breakOff();
  });
}

/** Parses the warnings of the server: `299 - "the text"`, in which quotes are escaped with a backslash. */
export function parseWarnings({ headers, rawHeaders }: IncomingMessage): string[] {
  if (headers['warning'] === undefined) return [];
  return rawHeaders.flatMap((value, i) =>
    i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'warning'
      ? [...value.matchAll(/\b299 \S+ "((?:\\.|[^"\\])*)"/g)].map(([, text = '']) =>
          text.replaceAll(/\\(.)/g, '$1'),
        )
      : [],
  );
}
