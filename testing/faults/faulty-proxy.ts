import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../runtime/clock/clock.ts';
import { systemClock } from '../../runtime/clock/system-clock.ts';
import type { Connection } from '../../runtime/connection/connection.ts';
import { applyAnswerFault, ConnectionBroken } from './answer-body.ts';
import type { AnswerFault, Crash, Fault, RequestFault } from './fault.ts';
import { requestPastVersion } from './past.ts';
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

/** How it stands between. */
export interface FaultyProxyOptions {
  /** By which answers are delayed. @default systemClock */
  readonly clock?: Clock | undefined;
}

const all: Matches = () => true;

/**
 * Stands between a client and an API server, as one user of that, and does what networks, proxies,
 * overloaded servers and crashes do. Without a plan everything passes.
 *
 * It listens on 127.0.0.1 without TLS: whoever is on the machine is that user while it runs.
 *
 * @example
 * ```ts
 * import { connectionTo, core, openClient, type ApiError } from 'tenantry/runtime';
 * import { FaultyProxy } from 'tenantry/testing';
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

  /** @throws {Error} where the server is reached by a proxy already */
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

  /** By which the runtime reaches the server, through here. */
  get connection(): Connection {
    const authorize = () => Promise.resolve({ headers: {}, tls: {} });
    return { server: this.#server.url, authorize };
  }

  /** What was asked so far; of very much the newest. */
  get received(): readonly Received[] {
    return this.#server.received;
  }

  /** Whether whoever asks has crashed, and `restart` was not called yet. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** How many connections are open to here, idle ones among them. */
  get openConnections(): number {
    return this.#server.openConnections;
  }

  /**
   * The next request that matches meets the fault. Those planned earlier go first. Fulfilled with the
   * request when it has come; of a crash, when whoever sent it is down.
   */
  next(fault: Fault, matches: Matches = all): Promise<Received> {
    return new Promise((met) => {
      this.#planned.push({ fault, matches, isOnce: true, met });
    });
  }

  /** Every request that matches meets the fault, until what this returns is called. */
  always(fault: Fault, matches: Matches = all): () => void {
    const planned: PlannedFault = { fault, matches, isOnce: false, met: () => {} };
    this.#planned.push(planned);
    return () => {
      this.#planned = this.#planned.filter((one) => one !== planned);
    };
  }

  /** Nothing that was planned happens any more. */
  clear(): void {
    this.#planned = [];
  }

  /** How many answers are not over. */
  open(matches: Matches = all): number {
    return this.#answers(matches).length;
  }

  /** Resets the connections of answers that are not over, and says how many there were. */
  cut(matches: Matches = all): number {
    const cut = this.#answers(matches);
    for (const [response] of cut) {
      response.socket?.resetAndDestroy();
      // It is over now, and not only when this process hears that the connection is closed.
      this.#open.delete(response);
    }
    return cut.length;
  }

  /** Ends answers that are not over, as a server does whose time for a watch is over. */
  end(matches: Matches = all): number {
    const ended = this.#answers(matches);
    for (const [response, { from }] of ended) {
      response.end();
      from.destroy();
    }
    return ended.length;
  }

  /** Puts text into answers that are not over: a line of a watch, say. */
  say(text: string, matches: Matches = all): number {
    const answers = this.#answers(matches);
    for (const [response] of answers) response.write(text);
    return answers.length;
  }

  /** Lets no byte of an answer through, and breaks no connection: the silence of a lost network. */
  freeze(): void {
    if (this.#thawed) return;
    ({ promise: this.#thawed, resolve: this.#thaw } = Promise.withResolvers<void>());
  }

  /** What was held back goes on. */
  thaw(): void {
    this.#thawed = undefined;
    this.#thaw();
  }

  /** Whoever asks is dead for the server from now on: see the fault `crash`. */
  crash(): void {
    this.#isDown = true;
    this.#lives += 1;
    this.#server.resetAll();
  }

  /** After a crash, lets requests through again: those of the next life of whoever asks. */
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
    // Another request may have been the one at which it crashed.
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

  /** Resolves when the answer is over, however it ended. */
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
      // What has ended already is not broken off.
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

/** What was written must leave first. */
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
