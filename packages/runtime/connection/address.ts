import type { RequestOptions } from 'node:https';
import type { Environment, Authorization, TlsMaterial } from './connection.ts';
import { BlockList, isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { Call, Query } from './call.ts';
import { show } from '@tenantry/kube/problem';

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

/**
 * Returns the proxy to a server by HTTPS_PROXY, HTTP_PROXY and NO_PROXY, also in lower case, as in client-go
 * (golang.org/x/net/http/httpproxy). There is none for this machine and for what NO_PROXY names: `10.0.0.0/8`, an
 * address, `example.com` with its subdomains, `.example.com` for these only, each with an optional port, or `*`. A
 * proxy without a scheme uses `http`.
 * @throws {Error} if the proxy is not an http or https URL
 */
export function resolveProxy(server: string, environment: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const isTls = protocol === 'https:';
  const name = isTls ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = readVariable(environment, name);
  if (value === undefined) return undefined;
  const target = {
    host: hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase(),
    port: port || (isTls ? '443' : '80'),
  };
  if (isLocal(target.host) || isExcepted(target, readVariable(environment, 'NO_PROXY')))
    return undefined;
  const proxy = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const fault = validateProxyUrl(proxy);
  if (fault !== undefined) throw new Error(`${name} ${fault}`);
  return proxy;
}

interface Target {
  readonly host: string;
  readonly port: string;
}

function readVariable(environment: Environment, name: string): string | undefined {
  return environment[name] || environment[name.toLowerCase()] || undefined;
}

function isLocal(host: string): boolean {
  return host === 'localhost' || isWithin(host, '127.0.0.0/8') || isWithin(host, '::1/128');
}

function isExcepted(target: Target, exceptions = ''): boolean {
  return exceptions
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .some((one) => one === '*' || matchesNoProxy(target, one));
}

function matchesNoProxy({ host, port }: Target, exception: string): boolean {
  if (exception.includes('/')) return isWithin(host, exception);
  const placed = isIP(exception) === 0 ? /^(?:\[(.*)\]|([^:]*)):(.*)$/.exec(exception) : null;
  const name = placed?.[1] ?? placed?.[2] ?? exception;
  const only = placed?.[3] || port;
  if (name === '' || only !== port) return false;
  if (isIP(name) !== 0) return isWithin(host, `${name}/${isIP(name) === 4 ? 32 : 128}`);
  if (isIP(host) !== 0) return false;
  const domain = name.replace(/^\*\./, '.');
  return domain.startsWith('.') ? host.endsWith(domain) : `.${host}`.endsWith(`.${domain}`);
}

/** Whether both are valid, and the address is in the range. */
function isWithin(address: string, range: string): boolean {
  const [, network = '', length] = /^(.*)\/(\d{1,3})$/.exec(range) ?? [];
  const version = isIP(network);
  if (version === 0 || version !== isIP(address)) return false;
  const [family, most] = version === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  if (Number(length) > most) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(length), family);
  return list.check(address, family);
}
