import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Connection } from '@tenantry/runtime/connection/connection';
import type { Received } from './scripted-server.ts';

/** Headers of a single connection, and headers that the proxy sets itself. */
const ownHeaders = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

/** Passes requests on to an API server, with the identity of the connection. */
export class Upstream {
  readonly #connection: Connection;
  readonly #agent: PlainAgent;
  readonly #isTls: boolean;

  /** @throws {Error} where the server is reached through a proxy */
  constructor(connection: Connection) {
    if (connection.proxy !== undefined) {
      throw new Error(`the server must be reached without a proxy, got '${connection.proxy}'`);
    }
    this.#connection = connection;
    this.#isTls = connection.server.startsWith('https:');
    this.#agent = this.#isTls
      ? new TlsAgent({ keepAlive: true })
      : new PlainAgent({ keepAlive: true });
  }

  /**
   * Sends a request and returns the head of the answer. Rejects when there is none, or when the signal
   * aborts first.
   */
  async send(
    { method, url, headers, body }: Received,
    gone: AbortSignal,
  ): Promise<IncomingMessage> {
    const own = await this.#connection.authorize();
    gone.throwIfAborted();
    const kept = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
    const { server } = this.#connection;
    return new Promise((resolve, reject) => {
      const options = {
        ...own.tls,
        method,
        agent: this.#agent,
        headers: {
          ...Object.fromEntries(kept),
          ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
          ...own.headers,
        },
      };
      const send = this.#isTls ? tlsRequest : plainRequest;
      const sent = send(new URL(server.replace(/\/+$/, '') + url), options, resolve);
      sent.on('error', reject);
      gone.addEventListener('abort', () => sent.destroy(), { once: true });
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
