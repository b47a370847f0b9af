import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock, type Clock } from '@tenantry/runtime/clock/clock';
import type { Connection } from '@tenantry/runtime/connection/connection';
import {
  applyAnswerFault,
  ConnectionBroken,
  requestPastVersion,
  type AnswerFault,
  type Crash,
  type Fault,
  type RequestFault,
} from './fault.ts';
import { isWatch, type Matches } from './requests.ts';
import { refuse, ScriptedServer, type Received } from './scripted-server.ts';
import { Upstream } from './upstream.ts';

interface PlannedFault {
  readonly fault: Fault;
  readonly matches: Matches;
  readonly isOnce: boolean;
  readonly met: (received: Received) => void;
}

interface ProxiedAnswer {
  readonly received: Received;
  readonly from: IncomingMessage;
}

/** The options of a `FaultyProxy`. */
export interface FaultyProxyOptions {
  /** The clock for delays of answers. @default systemClock */
  readonly clock?: Clock | undefined;
}

const all: Matches = () => true;

/**
 * A proxy between a client and an API server that causes the faults of networks, proxies, overloaded
 * servers and crashes. It reaches the API server as one user. Without planned faults it passes
 * everything on.
 *
 * It listens on 127.0.0.1 without TLS: while it runs, anybody on the machine can act as that user.
 *
 * @example
 * ```ts
 * import { connectionTo, core, openClient, type ApiError } from '@tenantry/runtime';
 * import { FaultyProxy } from '@tenantry/testing';
 *
 * // In place of the connection of a control plane's user.
 * const connection = connectionTo({ server: 'https://10.0.0.1:6443', token: 'secret' });
 * const proxy = await FaultyProxy.start(connection);
 * const client = openClient(proxy.connection);
 *
 * void proxy.next({ kind: 'refuse', status: 500, reason: 'InternalError' });
 * const shop = { metadata: { name: 'shop' } };
 * const refused = await client.create(core.Namespace, shop).catch((error: ApiError) => error);
 * console.log(refused instanceof Error, proxy.received[0]?.method); // true POST
 *
 * client.close();
 * await proxy.stop();
 * ```
 */
export class FaultyProxy {
  readonly #upstream: Upstream;
  readonly #clock: Clock;
  readonly #open = new Map<ServerResponse, ProxiedAnswer>();
  #server!: ScriptedServer;
  #planned: PlannedFault[] = [];
  #thawed: Promise<void> | undefined;
  #thaw = (): void => {};
  #isDown = false;
  #lives = 0;

  private constructor(upstream: Upstream, clock: Clock) {
    this.#upstream = upstream;
    this.#clock = clock;
  }

  /** @throws {Error} where the server is already reached through a proxy */
  static async start(
    connection: Connection,
    { clock = systemClock }: FaultyProxyOptions = {},
  ): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(new Upstream(connection), clock);
    proxy.#server = await ScriptedServer.start((received, response) =>
      proxy.#handle(received, response),
    );
    return proxy;
  }

  /** The connection with which the runtime reaches the server through this proxy. */
  get connection(): Connection {
    const authorize = () => Promise.resolve({ headers: {}, tls: {} });
    return { server: this.#server.url, authorize };
  }

  /** The requests received so far; of very many, the newest. */
  get received(): readonly Received[] {
    return this.#server.received;
  }

  /** Whether the client has crashed, and `restart` was not called yet. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** The number of open connections to the proxy, idle ones included. */
  get openConnections(): number {
    return this.#server.openConnections;
  }

  /**
   * Plans the fault for the next request that matches. Faults planned earlier apply first. Resolves
   * with the request when it has arrived; for a crash, when the client is down.
   */
  next(fault: Fault, matches: Matches = all): Promise<Received> {
    return new Promise((met) => {
      this.#planned.push({ fault, matches, isOnce: true, met });
    });
  }

  /** Applies the fault to every request that matches, until the returned function is called. */
  always(fault: Fault, matches: Matches = all): () => void {
    const planned: PlannedFault = { fault, matches, isOnce: false, met: () => {} };
    this.#planned.push(planned);
    return () => {
      this.#planned = this.#planned.filter((one) => one !== planned);
    };
  }

  /** Removes all planned faults. */
  clear(): void {
    this.#planned = [];
  }

  /** Returns the number of answers that have not ended. */
  open(matches: Matches = all): number {
    return this.#answers(matches).length;
  }

  /** Resets the connections of answers that have not ended, and returns their number. */
  cut(matches: Matches = all): number {
    const cut = this.#answers(matches);
    for (const [response] of cut) {
      response.socket?.resetAndDestroy();
      // The answer ends now, not when this process learns that the connection is closed.
      this.#open.delete(response);
    }
    return cut.length;
  }

  /** Ends answers that have not ended, as a server does at the timeout of a watch. */
  end(matches: Matches = all): number {
    const ended = this.#answers(matches);
    for (const [response, { from }] of ended) {
      response.end();
      from.destroy();
    }
    return ended.length;
  }

  /** Inserts text into answers that have not ended, for example a line of a watch. */
  insert(text: string, matches: Matches = all): number {
    const answers = this.#answers(matches);
    for (const [response] of answers) response.write(text);
    return answers.length;
  }

  /** Holds back every byte of answers without breaking a connection, as a lost network does. */
  freeze(): void {
    if (this.#thawed) return;
    ({ promise: this.#thawed, resolve: this.#thaw } = Promise.withResolvers<void>());
  }

  /** Sends what `freeze` held back, and continues. */
  thaw(): void {
    this.#thawed = undefined;
    this.#thaw();
  }

  /** Makes the client dead to the server from now on: see the fault `crash`. */
  crash(): void {
    this.#isDown = true;
    this.#lives += 1;
    this.#server.resetAll();
  }

  /** Lets requests through again after a crash: the client has started again. */
  restart(): void {
    this.#isDown = false;
  }

  async stop(): Promise<void> {
    this.thaw();
    await this.#server.stop();
    this.#upstream.close();
  }

  #answers(matches: Matches): [ServerResponse, ProxiedAnswer][] {
    return [...this.#open].filter(([, { received }]) => matches(received));
  }

  #plannedFor(received: Received): PlannedFault | undefined {
    const at = this.#planned.findIndex(({ matches }) => matches(received));
    const planned = this.#planned[at];
    if (planned?.isOnce) this.#planned.splice(at, 1);
    return planned;
  }

  async #handle(received: Received, response: ServerResponse): Promise<void> {
    if (this.#isDown) return resetConnection(response);
    const planned = this.#plannedFor(received);
    if (planned?.fault.kind === 'crash') {
      await this.#crashAt(planned.fault, received, response);
      return planned.met(received);
    }
    planned?.met(received);
    return this.#applyFault(planned?.fault, received, response);
  }

  async #crashAt({ at }: Crash, received: Received, response: ServerResponse): Promise<void> {
    const life = this.#lives;
    if (at === 'after') await this.#forward(received, response, { kind: 'lose' });
    // Another request may have caused the crash.
    if (life === this.#lives) this.crash();
  }

  async #applyFault(
    fault: RequestFault | AnswerFault | undefined,
    received: Received,
    response: ServerResponse,
  ): Promise<void> {
    switch (fault?.kind) {
      case 'cut':
      case 'delay':
      case 'lose':
      case 'repeat':
      case 'stale':
      case 'stall':
      case 'trickle':
        return this.#forward(received, response, fault);
      default:
        return this.#applyRequestFault(fault, received, response);
    }
  }

  async #applyRequestFault(
    fault: RequestFault | undefined,
    received: Received,
    response: ServerResponse,
  ): Promise<void> {
    switch (fault?.kind) {
      case 'reset':
        return resetConnection(response);
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
        return this.#forward(received, response);
      case 'past':
        return this.#forward(requestPastVersion(received, fault.resourceVersion), response);
      default:
        return this.#forward(received, response);
    }
  }

  /** Resolves when the answer has ended, for whatever reason. */
  async #forward(received: Received, response: ServerResponse, fault?: AnswerFault): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    if (response.destroyed) return;
    try {
      const from = await this.#upstream.send(received, gone.signal);
      if (fault?.kind === 'lose') return resetConnection(response, from);
      if (fault?.kind === 'delay') await this.#clock.sleep(fault.milliseconds, gone.signal);
      await this.#relay({ received, from }, response, { fault, gone: gone.signal });
    } catch (error) {
      // An answer that has ended is not broken off.
      if (response.writableEnded) return;
      if (error instanceof ConnectionBroken) closeConnection(response);
      else resetConnection(response);
    }
  }

  async #relay(
    { received, from }: ProxiedAnswer,
    response: ServerResponse,
    { fault, gone }: { readonly fault: AnswerFault | undefined; readonly gone: AbortSignal },
  ): Promise<void> {
    this.#open.set(response, { received, from });
    response.on('close', () => {
      this.#open.delete(response);
      from.destroy();
    });
    await this.#thawed;
    const isWatchStream = isWatch(received) && from.statusCode === 200;
    const isOfEvents = fault?.kind === 'repeat' || fault?.kind === 'stale';
    const met = isOfEvents && !isWatchStream ? undefined : fault;
    response.writeHead(from.statusCode ?? 502, from.rawHeaders);
    response.flushHeaders();
    for await (const chunk of applyAnswerFault(met, from, { clock: this.#clock, gone })) {
      await this.#thawed;
      if (!response.write(chunk)) await waitForDrain(response, gone);
    }
    response.end();
  }
}

function resetConnection(response: ServerResponse, from?: IncomingMessage): void {
  response.socket?.resetAndDestroy();
  from?.destroy();
}

/** Closes a connection after the bytes that were written have been sent. */
function closeConnection(response: ServerResponse): void {
  const { socket } = response;
  socket?.end(() => socket.destroy());
}

function waitForDrain(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) resolve();
    response.once('drain', resolve);
    gone.addEventListener('abort', () => resolve(), { once: true });
  });
}
