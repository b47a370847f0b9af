import { Agent, request as tlsRequest, type RequestOptions, type AgentOptions } from 'node:https';
import { request as plainRequest } from 'node:http';
import { connect, type ConnectionOptions } from 'node:tls';
import type { Duplex } from 'node:stream';
import { omitUndefined } from '@tenantry/kube/mapping';
import { validateProxyUrl } from './address.ts';

/** The options in which two connections must agree to serve each other's calls. */
const poolKeyFields = [
  'host',
  'port',
  'ca',
  'cert',
  'key',
  'servername',
  'rejectUnauthorized',
] as const;

type PoolKey = Pick<RequestOptions, (typeof poolKeyFields)[number]>;

/**
 * An agent that keeps TLS connections alive. Node computes the pool's key for each request from all certificate texts,
 * twice; this agent computes it again only if one of them changed.
 */
export class KeepAliveAgent extends Agent {
  #last: PoolKey = {};
  #name: string | undefined;

  override getName(options: RequestOptions = {}): string {
    if (
      this.#name !== undefined &&
      poolKeyFields.every((one) => options[one] === this.#last[one])
    ) {
      return this.#name;
    }
    const { host, port, ca, cert, key, servername, rejectUnauthorized } = options;
    this.#last = { host, port, ca, cert, key, servername, rejectUnauthorized };
    this.#name = super.getName(options);
    return this.#name;
  }
}

type Created = (error: Error | null, stream: Duplex) => void;

/** Milliseconds in which a proxy must answer; the caller's timeout may end earlier. */
const connectTimeout = 30_000;

/**
 * An agent for kept-alive TLS connections through a proxy, which sees only their destinations (CONNECT, RFC 9110,
 * 9.3.6).
 */
export class TunnelAgent extends KeepAliveAgent {
  readonly #proxy: URL;
  readonly #probeAfter: number | undefined;

  /** @throws {Error} if it is not an http or https URL */
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
    const request = (this.#proxy.protocol === 'http:' ? plainRequest : tlsRequest)(this.#proxy, {
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: { host: target, ...buildProxyAuthorization(this.#proxy) },
    });
    request.on('error', fail);
    request.setTimeout(connectTimeout, () => {
      request.destroy(new Error(`the proxy ${this.#proxy.host} did not answer for ${target}`));
    });
    request.on('connect', ({ statusCode }, socket) => {
      socket.setTimeout(0);
      socket.setKeepAlive(true, this.#probeAfter);
      if (statusCode === 200)
        return created(null, connect({ ...buildTlsOptions(options), socket }));
      socket.destroy();
      fail(new Error(`the proxy ${this.#proxy.host} answered ${statusCode} for ${target}`));
    });
    request.end();
  }
}

/** An IPv6 address is written in brackets. */
function hostOf({ hostname, host }: RequestOptions): string {
  const name = hostname ?? host ?? '';
  return name.includes(':') ? `[${name}]` : name;
}

/** Without `servername`, the certificate must be for the host. */
function buildTlsOptions(options: RequestOptions): ConnectionOptions {
  const { ca, cert, key, servername, rejectUnauthorized, checkServerIdentity } = options;
  return omitUndefined({
    host: options.hostname ?? options.host ?? '',
    ca,
    cert,
    key,
    servername,
    rejectUnauthorized,
    // Node calls it with the whole certificate, for TLS connections as for requests.
    checkServerIdentity: checkServerIdentity as ConnectionOptions['checkServerIdentity'],
  });
}

function buildProxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
