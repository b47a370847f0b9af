import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import type { Connection as RuntimeConnection } from '../../runtime/connection/connection.ts';
import type { Connection } from '../controlplane/connection.ts';
import { refuse, ScriptedServer, type Received } from './scriptedserver.ts';

/** What becomes of a request on its way. */
export type Fault =
  /** It never arrives, and the connection is reset. */
  | { readonly kind: 'reset' }
  /** It never arrives, and nothing is answered. */
  | { readonly kind: 'hang' }
  /** It never arrives, and is refused as by an API server; `retryAfter` in seconds. */
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly reason: string;
      readonly retryAfter?: number;
    }
  /** It never arrives, and is answered with 200 and this text. */
  | { readonly kind: 'answer'; readonly text: string }
  /** It arrives, and the connection is reset after so many bytes of the answer's body. */
  | { readonly kind: 'cut'; readonly after: number }
  /** It arrives when this is fulfilled. */
  | { readonly kind: 'hold'; readonly until: Promise<void> };

export type Matches = (received: Received) => boolean;

export const isWatch: Matches = ({ url }) => url.includes('watch=true');
export const isList: Matches = (received) =>
  received.method === 'GET' && received.url.includes('limit=') && !isWatch(received);

interface Planned {
  readonly fault: Fault;
  readonly matches: Matches;
  readonly isOnce: boolean;
}

/**
 * Stands between a client and an API server, as one user of that, and does what networks, proxies and
 * overloaded servers do. Without a plan everything passes.
 */
export class FaultyProxy {
  readonly #upstream: Connection;
  readonly #agent: Agent;
  readonly #open = new Map<
    ServerResponse,
    { readonly received: Received; readonly from: IncomingMessage }
  >();
  #server!: ScriptedServer;
  #planned: Planned[] = [];
  #isFrozen = false;

  private constructor(upstream: Connection) {
    const { identity, authority } = upstream;
    this.#upstream = upstream;
    const own = 'token' in identity ? {} : { cert: identity.certificate, key: identity.key };
    this.#agent = new Agent({ keepAlive: true, ca: authority, ...own });
  }

  static async start(upstream: Connection): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(upstream);
    proxy.#server = await ScriptedServer.start((received, response) =>
      proxy.#take(received, response),
    );
    return proxy;
  }

  /** By which the runtime reaches the server, through here. */
  get connection(): RuntimeConnection {
    const authorize = () => Promise.resolve({ headers: {}, tls: {} });
    return { server: this.#server.url, authorize };
  }

  /** What was asked so far. */
  get received(): readonly Received[] {
    return this.#server.received;
  }

  /** The next request that matches meets the fault. Those planned earlier go first. */
  next(fault: Fault, matches: Matches = () => true): void {
    this.#planned.push({ fault, matches, isOnce: true });
  }

  /** Every request that matches meets the fault, until what this returns is called. */
  always(fault: Fault, matches: Matches = () => true): () => void {
    const planned = { fault, matches, isOnce: false };
    this.#planned.push(planned);
    return () => {
      this.#planned = this.#planned.filter((one) => one !== planned);
    };
  }

  /** How many answers are not over. */
  open(matches: Matches = () => true): number {
    return [...this.#open.values()].filter(({ received }) => matches(received)).length;
  }

  /** Resets the connections of answers that are not over, and says how many there were. */
  cut(matches: Matches = () => true): number {
    const cut = [...this.#open].filter(([, { received }]) => matches(received));
    for (const [response] of cut) response.socket?.resetAndDestroy();
    return cut.length;
  }

  /** Ends answers that are not over, as a server does whose time for a watch is over. */
  end(matches: Matches = () => true): number {
    const ended = [...this.#open].filter(([, { received }]) => matches(received));
    for (const [response, { from }] of ended) {
      from.destroy();
      response.end();
    }
    return ended.length;
  }

  /** Puts text into answers that are not over: a line of a watch, say. */
  say(text: string, matches: Matches = () => true): number {
    const told = [...this.#open].filter(([, { received }]) => matches(received));
    for (const [response] of told) response.write(text);
    return told.length;
  }

  /** Lets no byte of an answer through, and breaks no connection: the silence of a lost network. */
  freeze(): void {
    this.#isFrozen = true;
    for (const { from } of this.#open.values()) from.pause();
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const { from } of this.#open.values()) from.resume();
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    this.#agent.destroy();
  }

  async #take(received: Received, response: ServerResponse): Promise<void> {
    const at = this.#planned.findIndex(({ matches }) => matches(received));
    const planned = this.#planned[at];
    if (planned?.isOnce) this.#planned.splice(at, 1);
    const fault = planned?.fault;
    switch (fault?.kind) {
      case 'reset':
        return void response.socket?.resetAndDestroy();
      case 'hang':
        return;
      case 'refuse': {
        const { status, reason, retryAfter } = fault;
        const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
        return refuse(response, status, reason, headers);
      }
      case 'answer':
        return void response.end(fault.text);
      case 'hold':
        await fault.until;
        return this.#forward(received, response, Infinity);
      default:
        this.#forward(received, response, fault?.after ?? Infinity);
    }
  }

  #forward(
    { method, url, headers, body }: Received,
    response: ServerResponse,
    bytes: number,
  ): void {
    const { server, identity } = this.#upstream;
    const { host: _, connection: __, ...rest } = headers;
    const own = 'token' in identity ? { authorization: `Bearer ${identity.token}` } : {};
    const options = { method, agent: this.#agent, headers: { ...rest, ...own } };
    const sent = tlsRequest(new URL(server).origin + url, options, (from) => {
      this.#relay({ method, url, headers, body }, from, response, bytes);
    });
    sent.on('error', () => response.socket?.resetAndDestroy());
    response.on('close', () => sent.destroy());
    sent.end(body);
  }

  #relay(received: Received, from: IncomingMessage, response: ServerResponse, bytes: number): void {
    let left = bytes;
    this.#open.set(response, { received, from });
    response.on('close', () => this.#open.delete(response));
    response.writeHead(from.statusCode ?? 502, from.headers);
    response.flushHeaders();
    from.on('data', (chunk: Buffer) => {
      response.write(chunk.subarray(0, left));
      left -= chunk.length;
      // What was written must leave first.
      if (left <= 0) response.socket?.end(() => response.socket?.destroy());
    });
    from.on('end', () => response.end());
    from.on('error', () => response.socket?.resetAndDestroy());
    if (this.#isFrozen) from.pause();
  }
}
