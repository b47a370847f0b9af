import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An account of a forge. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly isBot?: boolean;
}

/** What the bearer of a token may do. */
export interface Token extends Account {
  /** `comments`, `statuses`, `members`. */
  readonly rights: readonly string[];
}

/** An answer of the API. A list is sent page by page. */
export interface Reply {
  readonly status: number;
  readonly value?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request for a documented route. */
export interface Call {
  /** What the pattern of the route captured. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly token: Token;
}

export type Route = readonly [method: string, path: RegExp, answer: (call: Call) => Reply];

export const ok = (value: unknown): Reply => ({ status: 200, value });
export const created = (value: unknown): Reply => ({ status: 201, value });

/** Serves the documented routes of a forge's API with its authentication, methods and pages. */
export abstract class ApiDouble {
  /** All requests: `GET /user`. */
  readonly requests: string[] = [];
  /** Answers to the next requests, instead of those of the routes. */
  readonly faults: Reply[] = [];
  readonly #tokens: ReadonlyMap<string, Token>;
  readonly #server: Server = createServer((request, response) => {
    this.#answer(request).then(({ status, value, headers }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(value === undefined ? undefined : JSON.stringify(value));
    }, response.destroy.bind(response));
  });

  constructor(tokens: Readonly<Record<string, Token>>) {
    this.#tokens = new Map(Object.entries(tokens));
  }

  protected abstract readonly routes: readonly Route[];

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url ?? '/', this.address);
    this.requests.push(`${request.method} ${url.pathname}`);
    const fault = this.faults.shift();
    if (fault) return fault;
    const token = this.#tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    if (token === undefined) return { status: 401, value: { message: 'Bad credentials' } };
    let text = '';
    for await (const part of request) text += String(part);
    const body = (text === '' ? {} : JSON.parse(text)) as Call['body'];
    const found = this.routes.filter(([, path]) => path.test(url.pathname));
    const route = found.find(([method]) => method === request.method);
    if (!route) return { status: found.length > 0 ? 405 : 404, value: { message: 'Not Found' } };
    const parts = route[1].exec(url.pathname)!.slice(1).map(decodeURIComponent);
    const reply = route[2]({ parts, query: url.searchParams, body, token });
    return Array.isArray(reply.value) ? this.#page(reply.value, url) : reply;
  }

  /** At most 100 entries, 30 if the client names no number, and a link to the next page. */
  #page(all: readonly unknown[], url: URL): Reply {
    const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30));
    const page = Number(url.searchParams.get('page') ?? 1);
    const next = new URL(url);
    next.searchParams.set('page', String(page + 1));
    const link = `<${url.href}>; rel="first", <${next.href}>; rel="next"`;
    const hasNext = page * size < all.length;
    return {
      status: 200,
      value: all.slice((page - 1) * size, page * size),
      ...(hasNext && { headers: { link } }),
    };
  }
}
