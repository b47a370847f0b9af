import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/**
 * An HTTP proxy that makes API servers of this machine reachable under their declared addresses, such as
 * `https://api.fra1.example.com:6443`, so that the deployed files need no change.
 */
export class Addresses implements AsyncDisposable {
  readonly #server: Server;
  readonly #places = new Map<string, number>();
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((_, answer) => answer.writeHead(405).end());
    this.#server.on('connect', ({ url = '' }, asking: Socket) => {
      const port = this.#places.get(url);
      if (port === undefined) return asking.end('HTTP/1.1 502 No Such Address\r\n\r\n');
      const there = connect(port, '127.0.0.1', () => {
        asking.write('HTTP/1.1 200 Connected\r\n\r\n');
        asking.pipe(there).pipe(asking);
      });
      for (const [one, other] of [
        [asking, there],
        [there, asking],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => {});
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
      return undefined;
    });
    this.#server.unref();
  }

  static async open(): Promise<Addresses> {
    const addresses = new Addresses();
    addresses.#server.listen(0, '127.0.0.1');
    await once(addresses.#server, 'listening');
    return addresses;
  }

  /** 'http://127.0.0.1:41234' */
  get proxy(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forwards `address` to `server` from now on; both are `https://host:port`. */
  set(address: string, server: string): void {
    const { hostname, port } = new URL(address);
    this.#places.set(`${hostname}:${port || '443'}`, Number(new URL(server).port));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
