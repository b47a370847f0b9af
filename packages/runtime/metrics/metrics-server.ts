import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { CertificateSource } from '../certificates/key-pair.ts';
import { systemClock, type Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from './metrics.ts';
import type { ScrapeAccess, ScrapeDecision } from './scrape-access.ts';

const path = '/metrics';

/** Milliseconds in which running answers may finish at the end. */
const drainTimeout = 1000;

export interface MetricsServerProps {
  readonly metrics: Pick<Metrics, 'page'>;
  readonly log: Log;
  /** @default - all addresses of the machine */
  readonly host?: string | undefined;
  /** 0 takes any free port. @default 8080 */
  readonly port?: number | undefined;
  /** The certificate for HTTPS, which is kept up to date elsewhere (`run`). @default - plain HTTP */
  readonly certificate?: Pick<CertificateSource, 'current' | 'onChange'> | undefined;
  /** Decides who may read; requires a certificate. @default - everybody who can reach the port */
  readonly access?: Pick<ScrapeAccess, 'decide'> | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Serves `GET /metrics` to Prometheus, compressed if the client accepts that. For a manager's `runnables`:
 *
 *     new Manager({ controllers, runnables: [new MetricsServer({ metrics, log })] })
 */
export class MetricsServer {
  readonly name = 'metrics';
  readonly #props: MetricsServerProps;
  readonly #clock: Clock;
  #port: number | undefined;

  /** @throws {Error} if tokens would be sent without TLS, or the port is invalid */
  constructor(props: MetricsServerProps) {
    const { access, certificate, port = 8080 } = props;
    if (access && !certificate) {
      throw new Error('access to metrics can be checked over TLS only: certificate must be set');
    }
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new RangeError(`port must be a whole number from 0 to 65535, got ${port}`);
    }
    this.#props = props;
    this.#clock = props.clock ?? systemClock;
  }

  get port(): number | undefined {
    return this.#port;
  }

  /** Serves until the signal aborts; then running answers finish, for a second at most. Rejects if it cannot listen. */
  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { certificate } = this.#props;
    const server = certificate ? this.#createTlsServer() : createServer(this.#handle);
    server.requestTimeout = 10_000;
    const ignore = certificate?.onChange((pair) => useCertificate(server, pair));
    try {
      await this.#listen(server);
      await new Promise<void>((resolve, reject) => {
        server.on('error', reject);
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted) resolve();
      });
    } finally {
      this.#port = undefined;
      ignore?.();
      await this.#close(server);
    }
  }

  #createTlsServer(): TlsServer {
    const current = this.#props.certificate?.current;
    const options = current ? { cert: current.certificate, key: current.key } : {};
    return createTlsServer(options, this.#handle);
  }

  async #listen(server: Server | TlsServer): Promise<void> {
    const { host, port = 8080, log, access, certificate } = this.#props;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        const message = `metrics cannot be served on ${host ?? ''}:${port}: ${cause.message}`;
        reject(new Error(message, { cause }));
      });
      server.listen({ port, host }, resolve);
    });
    const address = server.address();
    this.#port = typeof address === 'object' ? address?.port : undefined;
    const fields = { host, port: this.#port, tls: certificate !== undefined };
    if (access) log.info('metrics are served to callers that RBAC allows', fields);
    else log.info('metrics are served to everybody who can reach the port', fields);
  }

  async #close(server: Server | TlsServer): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    const cancel = this.#clock.after(drainTimeout, () => server.closeAllConnections());
    await closed;
    cancel();
  }

  readonly #handle = (request: IncomingMessage, response: ServerResponse): void => {
    void this.#respond(request, response).catch((error: unknown) => {
      this.#props.log.error('an answer about metrics could not be sent', { error });
      response.destroy();
    });
  };

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await this.#answer(request);
    const isCompressed = status === 200 && acceptsGzip(request);
    const content = isCompressed ? await promisify(gzip)(body) : Buffer.from(body);
    const sent: OutgoingHttpHeaders = omitUndefined({
      'content-type': 'text/plain; charset=utf-8',
      ...headers,
      'content-length': content.length,
      'content-encoding': isCompressed ? 'gzip' : undefined,
    });
    response.writeHead(status, sent);
    response.end(content);
  }

  async #answer({ method, url = '', headers }: IncomingMessage): Promise<Answer> {
    if (url.split('?')[0] !== path) return { status: 404, body: `there is ${path} alone\n` };
    if (method !== 'GET') return { status: 405, headers: { allow: 'GET' }, body: 'GET it\n' };
    try {
      const decision = (await this.#props.access?.decide(headers.authorization, path)) ?? 'allowed';
      if (decision !== 'allowed') return errorResponses[decision];
      const { contentType, text } = await this.#props.metrics.page();
      return { status: 200, headers: { 'content-type': contentType }, body: text };
    } catch (error) {
      this.#props.log.error('metrics could not be served', { error });
      return { status: 500, body: 'see the log\n' };
    }
  }
}

const errorResponses: Readonly<Record<Exclude<ScrapeDecision, 'allowed'>, Answer>> = {
  unknown: {
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    body: 'a bearer token that the cluster knows must be sent\n',
  },
  forbidden: { status: 403, body: `RBAC must allow get of the nonResourceURL ${path}\n` },
  busy: { status: 503, headers: { 'retry-after': '1' }, body: 'too many unknown tokens\n' },
};

function useCertificate(
  server: Server | TlsServer,
  { certificate, key }: { readonly certificate: string; readonly key: string },
): void {
  if ('setSecureContext' in server) server.setSecureContext({ cert: certificate, key });
}

function acceptsGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding'] ?? ''));
}
