import type { Connection } from '../connection/connection.ts';
import { Transport, type TransportOptions } from '../connection/transport.ts';
import { logWarningsOnce } from './warnings.ts';
import { ApiClient, type ApiClientOptions } from './api-client.ts';
import type { Log } from '../log/log.ts';
import type { Client } from './client.ts';

/** Its rate, its name, and who watches it. */
export interface OpenClientOptions extends TransportOptions, ApiClientOptions {
  /**
   * Has a warning where the certificate of the server is not checked, and what the server warns of, such as
   * versions that are going away, each text once. @default - nobody is told
   */
  readonly log?: Log | undefined;
}

/** A client with connections of its own. */
export interface OpenedClient extends Client {
  /** Ends every call and watch with an error, closes all connections, and lets nothing more be sent. */
  close(): void;
}

/**
 * A client over one pool of kept connections, with one limit of the rate: a program needs one. Nothing
 * is sent before the first call. It keeps the process alive while a call is under way, and no longer.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import type { AddressInfo } from 'node:net';
 * import { connectionTo, core, openClient } from 'tenantry/runtime';
 *
 * // In place of a cluster, for which it is `openClient(await connectionFrom())`.
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
 * @throws {Error} where the server or its proxy is no URL of http or https
 */
export function openClient(connection: Connection, options: OpenClientOptions = {}): OpenedClient {
  return new OpenedApiClient(connection, options);
}

const unchecked =
  'the certificate of the server is not checked (insecure-skip-tls-verify): whoever is between can read and change everything';

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
    if (isInsecure) log?.warn(unchecked, { server });
  }

  close(): void {
    this.#transport.close();
  }
}
