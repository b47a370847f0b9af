import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { resolveProxy } from '@tenantry/runtime/connection/address';
import { TunnelAgent } from '@tenantry/runtime/connection/agents';
import type { Clock } from '@tenantry/runtime/clock/clock';
import { HookRefused, type Http, type HttpAnswer, type HttpRequest } from './sender.ts';

/** The most bytes of a body that are read; answers to hooks are shorter. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The most seconds of a `retry-after`. */
const MAX_WAIT = 60 * 60;

/** The host that a hook calls, and the options of the connection. */
interface NodeHttpProps {
  /** The address of the hook. Only its origin is called. */
  readonly address: URL;
  /** PEM. @default - the authorities of Node */
  readonly authorities?: string | undefined;
  /** Aborts when the time of the attempt is over. */
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'date'>;
  /** HTTPS_PROXY and NO_PROXY apply to https. @default - no proxy */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** HTTP with Node, with a connection for each exchange. */
export class NodeHttp implements Http {
  readonly #props: NodeHttpProps;

  constructor(props: NodeHttpProps) {
    this.#props = props;
  }

  async exchange(request: HttpRequest): Promise<HttpAnswer> {
    const { address, signal, clock } = this.#props;
    if (request.url.origin !== address.origin) {
      throw new HookRefused(`may be called at ${address.host} only, and was redirected`, {
        final: true,
      });
    }
    try {
      signal.throwIfAborted();
      return await readAnswer(await this.#respond(request), clock.date());
    } catch (error) {
      if (error instanceof HookRefused) throw error;
      if (signal.aborted) throw noAnswer(address, 'in time', error);
      throw noAnswer(address, `(${readErrorCode(error)})`, error);
    }
  }

  #respond({ method, url, headers = {}, body }: HttpRequest): Promise<IncomingMessage> {
    const { signal } = this.#props;
    const options = {
      method,
      signal,
      headers: {
        'user-agent': 'tenantry',
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      ...this.#way(url),
    };
    return new Promise((resolve, reject) => {
      const start = url.protocol === 'https:' ? tlsRequest : plainRequest;
      start(url, options, resolve).on('error', reject).end(body);
    });
  }

  #way({ protocol, origin }: URL): RequestOptions & { readonly ca?: string } {
    const { authorities: ca, environment = {} } = this.#props;
    if (protocol !== 'https:') return { agent: false };
    const proxy = resolveProxy(origin, environment);
    const trust = ca === undefined ? {} : { ca };
    return { ...trust, agent: proxy === undefined ? false : new TunnelAgent(proxy, trust) };
  }
}

async function readAnswer(response: IncomingMessage, now: Date): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > MAX_BODY_BYTES) {
      const message = `answered with more than ${MAX_BODY_BYTES} bytes`;
      throw new HookRefused(message, { final: false });
    }
    chunks.push(chunk);
  }
  const { statusCode: status = 0, headers } = response;
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return {
    status,
    header,
    cookies: headers['set-cookie'] ?? [],
    retryAfter: parseRetryAfter(header('retry-after'), now),
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** RFC 9110, 10.2.3: seconds, or a date. Undefined for anything else. */
function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  const isNumber = /^\d{1,9}$/.test(value);
  const seconds = isNumber ? Number(value) : (Date.parse(value) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), MAX_WAIT);
}

function noAnswer({ host }: URL, how: string, cause: unknown): HookRefused {
  return new HookRefused(`no answer of ${host} ${how}`, { final: false, isBusy: true, cause });
}

/** Returns the error code: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. Error messages may contain anything. */
function readErrorCode(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : 'no reason known';
}
