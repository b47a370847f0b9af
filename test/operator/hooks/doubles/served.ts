import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a double is asked. */
export interface Asked {
  readonly method: string;
  /** Without the query; still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What it answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What goes wrong with one request, in place of what the double would answer. */
export type Fault =
  /** This is answered, and nothing done: by something before the server, or by it. */
  | Reply
  /** It is done, and the connection torn before the answer. */
  | 'torn'
  /** It is done, and never answered. */
  | 'silent';

/** Something that is asked over HTTP. */
export interface Double {
  answer(asked: Asked): Reply;
}

/** A double on a port of this machine. */
export class Served {
  /** All that it was asked, in order. */
  readonly asked: Asked[] = [];
  /** What goes wrong, by the number of the request: 1 is the next. */
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

  /** Paths of what it was asked, behind their methods. */
  get lines(): string[] {
    return this.asked.map(({ method, path }) => `${method} ${path}`);
  }

  /** The n-th request from now goes wrong. */
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

/** An answer in JSON. */
export function json(value: unknown, status = 200): Reply {
  const headers = { 'content-type': 'application/json;charset=utf-8' };
  return { status, headers, body: JSON.stringify(value) };
}

/** An answer for browsers. */
export function page(title: string, status: number): Reply {
  const headers = { 'content-type': 'text/html;charset=utf-8' };
  return { status, headers, body: `<html><head><title>${title}</title></head></html>` };
}
