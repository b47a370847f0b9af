import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * A proxy between a client and a server that passes on bytes of any protocol, and breaks connections on
 * request. The certificate of a server on 127.0.0.1 is valid for the proxy too.
 *
 * @example
 * ```ts
 * import { TcpProxy, type ControlPlane } from '@tenantry/testing';
 * import { openClient, type OpenedClient } from '@tenantry/runtime';
 *
 * export async function throughProxy(cluster: ControlPlane): Promise<[TcpProxy, OpenedClient]> {
 *   const proxy = await TcpProxy.start(cluster.server);
 *   return [proxy, openClient({ ...cluster.connection, server: proxy.address })];
 * }
 * ```
 */
export class TcpProxy {
  /** The number of connections opened so far. */
  connections = 0;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #hung = new WeakSet<readonly [Socket, Socket]>();

  private constructor(target: URL) {
    this.#server = createServer((client) => {
      this.connections += 1;
      const server = connect(Number(target.port), target.hostname);
      const pair = [client, server] as const;
      this.#pairs.add(pair);
      for (const [one, other] of [pair, [server, client] as const]) {
        one.on('data', (data) => this.#hung.has(pair) || other.write(data));
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#pairs.delete(pair);
          other.destroy();
        });
      }
    });
  }

  /** Starts a proxy. `target`: 'https://127.0.0.1:6443'. */
  static async start(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(target));
    await new Promise<void>((resolve) => {
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get address(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `https://127.0.0.1:${port}`;
  }

  /** Resets all connections; new ones can be opened. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /** Drops all bytes of the connections that are open now, silently; new connections work. */
  hang(): void {
    for (const pair of this.#pairs) this.#hung.add(pair);
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
