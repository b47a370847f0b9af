import { request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest, type RequestOptions } from 'node:https';

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

export interface ExchangeProps {
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
