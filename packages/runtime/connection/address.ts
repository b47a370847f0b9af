import type { RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { Call, Query } from './call.ts';
import type { Authorization, TlsMaterial } from './connection.ts';
import { show } from '@tenantry/kube/problem';

/** The address of a server. */
export class Address {
  readonly #url: URL;
  readonly #hostname: string;
  readonly #pathname: string;
  readonly #userAgent: string;

  /** @throws {Error} if it is not an http or https URL, or contains a user */
  constructor(server: string, userAgent: string) {
    const url = parseServerUrl(server);
    if (!url) {
      const example = "'https://10.0.0.1:6443'";
      throw new Error(`the server must be a URL such as ${example}, got ${redactUrl(server)}`);
    }
    this.#url = url;
    // The URL adds brackets to an IPv6 address.
    this.#hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
    this.#pathname = url.pathname.replace(/\/+$/, '');
    this.#userAgent = userAgent;
  }

  get isTls(): boolean {
    return this.#url.protocol === 'https:';
  }

  /** `10.0.0.1:6443` */
  get host(): string {
    return this.#url.host;
  }

  /** Resolves a path with its query. */
  resolveUrl(path: string): URL {
    return new URL(path, this.#url);
  }

  /**
   * Builds Node's request options of a call. The path is sent unchanged, without the normalization of browsers.
   * @throws {Error} if credentials would be sent without encryption
   */
  buildRequestOptions(
    { method, path, query, contentType, accept }: Call,
    content: string | undefined,
    { headers, tls }: Authorization,
  ): RequestOptions {
    const { protocol, port } = this.#url;
    const hostname = this.#hostname;
    const hasSecrets = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
    if (!this.isTls && hasSecrets && !isLoopback(hostname)) {
      throw new Error(
        `the server must be https where it gets credentials, got '${this.#url.href}'`,
      );
    }
    return {
      ...buildTlsOptions(tls),
      protocol,
      hostname,
      port,
      method,
      path: `${this.#pathname}${path}${formatQuery(query)}`,
      headers: {
        accept: accept ?? 'application/json',
        'user-agent': this.#userAgent,
        ...(content !== undefined && {
          'content-type': contentType ?? 'application/json',
          'content-length': Buffer.byteLength(content),
        }),
        ...headers,
      },
    };
  }
}

/** An IP address is not sent as server name (RFC 6066, 3), although the certificate may be for one. */
function buildTlsOptions({ servername, ...tls }: TlsMaterial): RequestOptions {
  if (servername === undefined) return tls;
  if (isIP(servername) === 0) return { ...tls, servername };
  return {
    ...tls,
    servername: '',
    checkServerIdentity: (_, certificate) => checkServerIdentity(servername, certificate),
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Characters of a query that need no encoding. */
const plain = /^[\w.-]*$/;

function formatQuery(query: Query = {}): string {
  let text = '';
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    text += `${text === '' ? '?' : '&'}${encodeQueryPart(name)}=${encodeQueryPart(String(value))}`;
  }
  return text;
}

function encodeQueryPart(text: string): string {
  return plain.test(text) ? text : new URLSearchParams({ '': text }).toString().slice(1);
}

/** Parses an http or https URL without a query; undefined if it is invalid. */
function parseWebUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.search === '' && url.hash === '' ? url : undefined;
}

/**
 * Parses the URL of an API server, which must not contain a user, nor what was meant as one: in `https://a:/b@c` the
 * host is `a`.
 */
export function parseServerUrl(text: string): URL | undefined {
  return text.includes('@') ? undefined : parseWebUrl(text);
}

/** Returns a URL for messages, without its user and password. */
export function redactUrl(text: string): string {
  return show(text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@'));
}

/** Returns what is wrong with the address of a proxy: `must be ..., got ...`; undefined if nothing is. */
export function validateProxyUrl(text: string): string | undefined {
  const url = parseWebUrl(text);
  const isWhole = url && text.includes('@') === (url.username !== '' || url.password !== '');
  if (isWhole && isDecodable(url.username) && isDecodable(url.password)) return undefined;
  const why = /^socks/i.test(text) ? ', as SOCKS is not supported' : '';
  return `must be a URL such as 'http://proxy:3128'${why}, got ${redactUrl(text)}`;
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
