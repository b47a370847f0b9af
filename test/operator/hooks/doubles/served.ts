import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request to a double. */
export interface Asked {
  readonly method: string;
  /** Without the query, and still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The answer of a double. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A fault of one request, instead of the answer of the double. */
export type Fault =
  /** This answer is sent and nothing is done, by the server or by something in front of it. */
  | Reply
  /** The request is handled, and the connection breaks before the answer. */
  | 'torn'
  /** The request is handled and never answered. */
  | 'silent';

/** A double of a service with an HTTP API. */
export interface Double {
  answer(asked: Asked): Reply;
}

/** Serves a double on a port of this machine. */
export class Served {
  /** All requests, in order. */
  readonly asked: Asked[] = [];
  /** Faults by the number of the request: 1 is the next request. */
  readonly #faults = new Map<number, Fault>();
  readonly #double: Double;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  private constructor(double: Double) {
    this.#double = double;
  }

  static async start(double: Double): Promise<Served> {
    const served = new Served(double);
    await new Promise<void>((resolve) => served.#server.listen(0, '127.0.0.1', resolve));
    return served;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The requests as `method path`. */
  get lines(): string[] {
    return this.asked.map(({ method, path }) => `${method} ${path}`);
  }

  /** Makes the nth request from now fail. */
  fail(nth: number, fault: Fault): void {
    this.#faults.set(this.asked.length + nth, fault);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const body = await text(request);
    const { method = '', headers } = request;
    const asked = { method, path: pathname, query: searchParams, headers, body };
    this.asked.push(asked);
    const fault = this.#faults.get(this.asked.length);
    if (typeof fault === 'object') return reply(response, fault);
    const answer = this.#double.answer(asked);
    if (fault === 'torn') request.socket.destroy();
    else if (fault === undefined) reply(response, answer);
  }
}

function reply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers).end(body);
}

/** Returns an answer in JSON. */
export function json(value: unknown, status = 200): Reply {
  const headers = { 'content-type': 'application/json;charset=utf-8' };
  return { status, headers, body: JSON.stringify(value) };
}

/** Returns an HTML answer. */
export function page(title: string, status: number): Reply {
  const headers = { 'content-type': 'text/html;charset=utf-8' };
  return { status, headers, body: `<html><head><title>${title}</title></head></html>` };
}
