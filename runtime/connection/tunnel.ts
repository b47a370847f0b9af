import { request as plainRequest } from 'node:http';
import { request as tlsRequest, type AgentOptions, type RequestOptions } from 'node:https';
import { connect, type ConnectionOptions } from 'node:tls';
import type { Duplex } from 'node:stream';
import { KeepAliveAgent } from './keep-alive-agent.ts';
import { validateProxyUrl } from './web-url.ts';

type Created = (error: Error | null, stream: Duplex) => void;

/** Milliseconds in which a proxy has to answer; who waits for the call may give up earlier. */
const connectTimeout = 30_000;

/**
 * Kept connections of TLS through a proxy, which sees where they go and nothing else (CONNECT, RFC
 * 9110, 9.3.6).
 */
export class TunnelAgent extends KeepAliveAgent {
  readonly #proxy: URL;
  readonly #probeAfter: number | undefined;

  /** @throws {Error} where it is no URL of http or https */
  constructor(proxy: string, options: AgentOptions) {
    super(options);
    this.#probeAfter = options.keepAliveMsecs;
    const fault = validateProxyUrl(proxy);
    if (fault !== undefined) throw new Error(`the proxy ${fault}`);
    this.#proxy = new URL(proxy);
  }

  override createConnection(options: RequestOptions, created: Created): undefined {
    const target = `${hostOf(options)}:${options.port}`;
    const fail = (error: Error): void => void (created as (error: Error) => void)(error);
    const asked = (this.#proxy.protocol === 'http:' ? plainRequest : tlsRequest)(this.#proxy, {
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: { host: target, ...buildProxyAuthorization(this.#proxy) },
    });
    asked.on('error', fail);
    asked.setTimeout(connectTimeout, () => {
      asked.destroy(new Error(`the proxy ${this.#proxy.host} did not answer for ${target}`));
    });
    asked.on('connect', ({ statusCode }, socket) => {
      socket.setTimeout(0);
      socket.setKeepAlive(true, this.#probeAfter);
      if (statusCode === 200)
        return created(null, connect({ ...buildTlsOptions(options), socket }));
      socket.destroy();
      fail(new Error(`the proxy ${this.#proxy.host} answered ${statusCode} for ${target}`));
    });
    asked.end();
  }
}

/** An address of IPv6 stands in brackets. */
function hostOf({ hostname, host }: RequestOptions): string {
  const name = hostname ?? host ?? '';
  return name.includes(':') ? `[${name}]` : name;
}

/** The host is what the certificate must be of, where no name of it is said. */
function buildTlsOptions(options: RequestOptions): ConnectionOptions {
  const { ca, cert, key, servername, rejectUnauthorized, checkServerIdentity } = options;
  return {
    host: options.hostname ?? options.host ?? '',
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(servername !== undefined && { servername }),
    ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    // Of a TLS connection it is asked with the whole certificate, as of a request.
    ...(checkServerIdentity && {
      checkServerIdentity: checkServerIdentity as NonNullable<
        ConnectionOptions['checkServerIdentity']
      >,
    }),
  };
}

function buildProxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
