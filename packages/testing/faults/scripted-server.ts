import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Socket } from 'node:net';
import type { KeyPair } from '@tenantry/runtime/certificates/key-pair';

/** A complete request as a server received it. */
export interface Received {
  readonly method: string;
  /** The path with the query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type RequestHandler = (received: Received, response: ServerResponse) => void | Promise<void>;

/** The most requests to remember: beyond it, the older half is dropped to bound the memory of a long run. */
const mostRemembered = 10_000;

/** A server on 127.0.0.1 that answers as a test defines, and records the requests. */
export class ScriptedServer {
  /** Complete requests in the order of their arrival; of very many, the newest. */
  readonly received: Received[] = [];
  /** The number of connections opened so far; with TLS, of those with a successful handshake. */
  connections = 0;
  readonly #server: ReturnType<typeof createServer>;
  readonly #sockets = new Set<Socket>();
  readonly #isTls: boolean;

  private constructor(answer: RequestHandler, pair: KeyPair | undefined) {
    this.#isTls = pair !== undefined;
    const take = (request: IncomingMessage, response: ServerResponse): void => {
      void this.#take(request, response, answer);
    };
    this.#server = pair
      ? createTlsServer({ cert: pair.certificate, key: pair.key }, take)
      : createServer(take);
    this.#server.on(this.#isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      // Where the other end has closed the socket, a reset fails and Node emits no close event.
      socket.on('error', ({ syscall }: NodeJS.ErrnoException) => {
        if (syscall === 'reset') socket.emit('close', true);
      });
    });
  }

  static async start(answer: RequestHandler, pair?: KeyPair): Promise<ScriptedServer> {
    const server = new ScriptedServer(answer, pair);
    await new Promise<void>((resolve) => {
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  /** The number of open connections, idle ones included. */
  get openConnections(): number {
    return this.#sockets.size;
  }

  /** 'http://127.0.0.1:41234' */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#isTls ? 'https' : 'http'}://127.0.0.1:${port}`;
  }

  /** Closes every connection with a reset, idle ones included. */
  resetAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #take(
    request: IncomingMessage,
    response: ServerResponse,
    answer: RequestHandler,
  ): Promise<void> {
    const { method = '', url = '', headers } = request;
    let body = '';
    try {
      for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    } catch {
      return; // the client closed the connection
    }
    const received = { method, url, headers, body };
    this.received.push(received);
    if (this.received.length > mostRemembered) this.received.splice(0, mostRemembered / 2);
    await answer(received, response);
  }
}

/** Answers with JSON. */
export function reply(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** Refuses a request as an API server does. */
export function refuse(
  response: ServerResponse,
  code: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: reason,
    reason,
    code,
  };
  reply(response, status, code, headers);
}
