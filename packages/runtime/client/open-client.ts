import type { Connection } from '../connection/connection.ts';
import {
  Transport,
  type TransportOptions,
  type TransportObserver,
} from '../connection/transport.ts';
import { ApiClient, type ApiClientOptions } from './api-client.ts';
import type { Log } from '../log/log.ts';
import type { Client } from './client.ts';

/** The options of a client: its rate limit, its name and its observers. */
export interface OpenClientOptions extends TransportOptions, ApiClientOptions {
  /**
   * Logs a warning if the server's certificate is not checked, and each distinct warning of the server once, such as
   * for deprecated API versions.
   * @default - nothing is logged
   */
  readonly log?: Log | undefined;
}

/** A client with its own connections. */
export interface OpenedClient extends Client {
  /** Ends every call and watch with an error, closes all connections, and rejects further calls. */
  close(): void;
}

/**
 * Opens a client with one pool of kept-alive connections and one rate limit. A program needs one. Nothing is sent
 * before the first call. The client keeps the process alive only while a call is in progress.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import type { AddressInfo } from 'node:net';
 * import { connectionTo, core, openClient } from '@tenantry/runtime';
 *
 * // A fake cluster. For a real one: `openClient(await connectionFrom())`.
 * const cluster = createServer((_, response) => {
 *   const metadata = { name: 'shop', uid: '1', resourceVersion: '7' };
 *   response.end(JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata }));
 * });
 * await new Promise<void>((listening) => cluster.listen(0, '127.0.0.1', listening));
 * const { port } = cluster.address() as AddressInfo;
 *
 * const client = openClient(connectionTo({ server: `http://127.0.0.1:${port}` }));
 * const { metadata } = await client.get(core.Namespace, { name: 'shop' });
 * console.log(metadata.resourceVersion); // 7
 * client.close();
 * cluster.close();
 * ```
 *
 * @throws {Error} if the server or its proxy is not an http or https URL
 */
export function openClient(connection: Connection, options: OpenClientOptions = {}): OpenedClient {
  return new OpenedApiClient(connection, options);
}

const insecureWarning =
  'the certificate of the server is not checked (insecure-skip-tls-verify): anyone on the network path can read and change everything';

class OpenedApiClient extends ApiClient implements OpenedClient {
  readonly #transport: Transport;

  constructor(connection: Connection, options: OpenClientOptions) {
    const { log, observer } = options;
    const transport = new Transport(connection, {
      ...options,
      observer: log ? logWarningsOnce(log, observer) : observer,
    });
    super(transport, options);
    this.#transport = transport;
    const { server, isInsecure } = connection;
    if (isInsecure) log?.warn(insecureWarning, { server });
  }

  close(): void {
    this.#transport.close();
  }
}

/** The most texts that are remembered; they may contain names of objects. */
const maxLogged = 1000;

/** Logs each distinct warning of the server once, and passes all of them to the observer. */
export function logWarningsOnce(log: Log, observer: TransportObserver = {}): TransportObserver {
  const logged = new Set<string>();
  return {
    requested: (request) => observer.requested?.(request),
    warned: (warning, request) => {
      observer.warned?.(warning, request);
      if (logged.has(warning)) return;
      const [oldest] = logged;
      if (logged.size >= maxLogged && oldest !== undefined) logged.delete(oldest);
      logged.add(warning);
      log.warn('the API server warns', { warning, request });
    },
  };
}
