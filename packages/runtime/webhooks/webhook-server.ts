import {
  STATUS_CODES,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { omitUndefined } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import type { CertificateSource } from '../certificates/key-pair.ts';
import { systemClock, type Clock } from '../clock/clock.ts';
import { JsonTooDeep } from '@tenantry/kube/json';
import { parseJson, stringifyJson } from '../connection/json.ts';
import type { Log } from '../log/log.ts';
import { BodyReader } from './body-reader.ts';
import { Refused, TimedOut, type Webhook } from './webhook.ts';

/** The webhooks of a server, and how it serves them. */
export interface WebhookServerProps {
  /** The certificates, which the server keeps up to date while it runs. */
  readonly certificates: CertificateSource;
  readonly webhooks: readonly Webhook[];
  readonly log: Log;
  /** 0 takes any free port, which `port` of the server then contains. @default 9443 */
  readonly port?: number | undefined;
  /** The address on which it listens. @default - all */
  readonly host?: string | undefined;
  /** Milliseconds in which running requests may finish during a shutdown. @default 10,000 */
  readonly gracefulStop?: number | undefined;
  /**
   * The number of requests after which a connection is closed, so that an API server does not stay with one of several
   * replicas.
   * @default - none is closed
   */
  readonly requestsPerConnection?: number | undefined;
  /** The most bytes of bodies that are read at once, over all requests. @default 256 MiB */
  readonly maxBytesAtOnce?: number | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * Milliseconds for which an idle connection is kept: longer than API servers keep one (90 s). So it is never closed
 * while they send the next request, which they would not retry.
 */
const idleConnectionTimeout = 120_000;

/** Milliseconds that the API server waits if the request contains no timeout (its default). */
const defaultTimeout = 10_000;

/**
 * A server for conversion and admission webhooks, over TLS 1.2 or later. It listens as soon as there is a certificate,
 * and uses the newest one for new connections. An invalid request gets a Status with the reason, which the API server
 * passes on to its client. A webhook that throws answers with a refusal, and the error is logged.
 *
 * Callers are not authenticated: API servers present credentials only if configured to. So answers must not contain
 * secrets, and a NetworkPolicy can limit the port to the control plane.
 *
 * @example
 * ```ts
 * import { conversionWebhook, jsonLog, Manager, systemClock, WebhookServer } from '@tenantry/runtime';
 * import type { CertificateSource } from '@tenantry/runtime';
 * import { boxConversions } from './box.ts';
 *
 * export function managerOf(certificates: CertificateSource): Manager {
 *   const webhooks = [conversionWebhook(boxConversions)];
 *   const log = jsonLog({ clock: systemClock });
 *   const server = new WebhookServer({ webhooks, certificates, log });
 *   return new Manager({ runnables: [{ name: 'webhooks', run: (signal) => server.run(signal) }] });
 * }
 * ```
 */
export class WebhookServer {
  readonly #props: WebhookServerProps;
  readonly #clock: Clock;
  readonly #webhooks: ReadonlyMap<string, Webhook>;
  readonly #bodies: BodyReader;
  readonly #server: Server;
  readonly #stopping = new AbortController();
  readonly #open = new Set<ServerResponse>();
  #refusedAt = -Infinity;

  /** @throws {Error} if two webhooks have the same path, or a path is invalid */
  constructor(props: WebhookServerProps) {
    this.#props = props;
    this.#clock = props.clock ?? systemClock;
    this.#webhooks = indexByPath(props.webhooks);
    this.#bodies = new BodyReader(props.maxBytesAtOnce ?? 256 * 1024 * 1024);
    const options = { minVersion: 'TLSv1.2', keepAliveTimeout: idleConnectionTimeout } as const;
    this.#server = createServer({ ...options, requestTimeout: 60_000 }, (request, response) => {
      void this.#handle(request, response);
    });
    this.#server.maxRequestsPerSocket = props.requestsPerConnection ?? 0;
    this.#server.on('tlsClientError', (error: NodeJS.ErrnoException) => this.#logRefusal(error));
  }

  get isServing(): boolean {
    return this.#server.listening;
  }

  /** The port on which it listens; undefined while it does not. */
  get port(): number | undefined {
    return (this.#server.address() as AddressInfo | null)?.port;
  }

  /**
   * Serves until the signal aborts; then it accepts no more connections, and resolves once running requests are
   * answered. Rejects if it cannot listen. May be called once.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { certificates, gracefulStop = 10_000 } = this.#props;
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const failed = new Promise<never>((_, reject) => {
      this.#server.once('error', reject);
    });
    const forget = certificates.onChange((pair) => this.#useCertificate(pair));
    if (certificates.current) this.#useCertificate(certificates.current);
    try {
      await Promise.race([certificates.run(either), failed]);
    } finally {
      stop.abort();
      forget();
      const cancel = this.#clock.after(gracefulStop, () => {
        this.#stopping.abort(new Error('the webhook server stops'));
        this.#server.closeAllConnections();
      });
      await this.#close();
      cancel();
    }
  }

  #useCertificate({
    certificate: cert,
    key,
  }: {
    readonly certificate: string;
    readonly key: string;
  }): void {
    this.#server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' });
    if (this.#server.listening) return;
    const { port = 9443, host, log } = this.#props;
    this.#server.listen({ port, host }, () => {
      log.info('webhooks are served', { port: this.port, paths: [...this.#webhooks.keys()] });
    });
  }

  #close(): Promise<void> {
    return new Promise((resolve) => {
      // Resolves even if it has never listened.
      this.#server.close(() => resolve());
      this.#closeWhenAnswered();
    });
  }

  /** Closes idle connections, which need not be waited for. */
  #closeWhenAnswered(): void {
    if (this.#server.listening || this.#open.size > 0) return;
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      this.#closeWhenAnswered();
    });
    // A client may send an absolute URL, or an invalid one.
    const url = new URL(`https://webhook/${(request.url ?? '').replace(/^\/+/, '')}`);
    const log = this.#props.log.with({ path: url.pathname });
    try {
      const webhook = this.#findWebhook(url.pathname, request);
      const review = parseReview(await this.#bodies.read(request, webhook.maxBytes));
      const answer = await this.#callWebhook(webhook, review, url, response, log);
      sendJson(response, 200, stringifyJson(answer));
    } catch (error) {
      const known = error instanceof Refused ? error : undefined;
      if (known) log.warn('a request was refused', { status: known.status, why: known.message });
      else log.error('a webhook failed', { error });
      // The rest of an unread body is not waited for.
      if (!request.complete) response.setHeader('connection', 'close');
      const status = known?.status ?? 500;
      sendJson(response, status, formatStatus(status, known?.message ?? 'the webhook failed'));
    }
  }

  #findWebhook(path: string, request: IncomingMessage): Webhook {
    const webhook = this.#webhooks.get(path);
    const known = [...this.#webhooks.keys()].join(', ');
    if (!webhook) throw new Refused(404, `the path must be one of ${known}, got ${show(path)}`);
    if (request.method !== 'POST') {
      throw new Refused(405, `the method must be POST, got ${request.method}`);
    }
    const type = request.headers['content-type'] ?? '';
    if (!/^application\/json\s*(;|$)/i.test(type)) {
      throw new Refused(415, `the content type must be application/json, got ${show(type)}`);
    }
    return webhook;
  }

  async #callWebhook(
    webhook: Webhook,
    review: unknown,
    { searchParams }: URL,
    response: ServerResponse,
    log: Log,
  ): Promise<object> {
    const timeout = parseGoDuration(searchParams.get('timeout') ?? '') ?? defaultTimeout;
    const done = new AbortController();
    // The margin is for the transfer of the answer.
    const margin = Math.min(500, timeout / 10);
    const cancel = this.#clock.after(timeout - margin, () => done.abort(new TimedOut(timeout)));
    const leave = (): void => done.abort(new Error('the client has disconnected'));
    response.once('close', leave);
    try {
      const signal = AbortSignal.any([done.signal, this.#stopping.signal]);
      return await webhook.answer(review, { signal, clock: this.#clock, log });
    } finally {
      cancel();
      response.off('close', leave);
    }
  }

  /**
   * Logs, at most once a minute, that a client ended the handshake with a TLS alert, usually because it does not trust the
   * certificate.
   */
  #logRefusal(error: NodeJS.ErrnoException): void {
    const { log } = this.#props;
    const now = this.#clock.now();
    const isRefusal = /_ALERT_/.test(error.code ?? '');
    if (!isRefusal || now - this.#refusedAt < 60_000) return;
    this.#refusedAt = now;
    log.warn('a client rejected the certificate of the webhooks', { error });
  }
}

/** @throws {Error} if two webhooks have the same path, or a path is invalid */
function indexByPath(webhooks: readonly Webhook[]): ReadonlyMap<string, Webhook> {
  const found = new Map<string, Webhook>();
  for (const webhook of webhooks) {
    const { path } = webhook;
    if (!/^\/[^?#\s]*$/.test(path)) {
      throw new Error(`the path of a webhook must begin with / and have no ?, got ${show(path)}`);
    }
    if (found.has(path)) throw new Error(`two webhooks must not have one path, got ${show(path)}`);
    found.set(path, webhook);
  }
  return found;
}

function parseReview(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof JsonTooDeep)
      throw new Refused(400, `the body ${cause.message}`, { cause });
    throw new Refused(400, `the body must be JSON, got ${show(text)}`, { cause });
  }
}

/** Formats a Status (meta/v1), whose message the API server passes on. */
function formatStatus(code: number, message: string): string {
  const reason = (STATUS_CODES[code] ?? '').replaceAll(/\W/g, '');
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return JSON.stringify({ ...head, message, reason, code });
}

function sendJson(response: ServerResponse, status: number, text: string): void {
  const headers: OutgoingHttpHeaders = omitUndefined({
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    allow: status === 405 ? 'POST' : undefined,
  });
  response.writeHead(status, headers);
  response.end(text);
}

const milliseconds: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Parses a duration in Go's format, '10s' or '1m30s', to milliseconds; undefined if it is invalid. */
function parseGoDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]+)(h|ms|m|s)/g);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * milliseconds[unit!]!, 0);
}
