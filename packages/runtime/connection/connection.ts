import { createSecureContext } from 'node:tls';
import { readFile } from 'node:fs/promises';
import { omitUndefined } from '@tenantry/kube/mapping';
import { systemClock, type Clock } from '../clock/clock.ts';

/** Environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** TLS settings of one connection, in PEM. */
export interface TlsMaterial {
  /** The authorities that sign the server's certificate. @default - the authorities of Node */
  readonly ca?: string;
  /** The client's certificate, with its key. */
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must have. @default - the host of the address */
  readonly servername?: string;
  /** `false`: the server's certificate is not checked at all. @default true */
  readonly rejectUnauthorized?: boolean;
}

/** HTTP headers; each entry of a list becomes a header. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The credentials of the next request. */
export interface Authorization {
  readonly headers: RequestHeaders;
  readonly tls: TlsMaterial;
}

/** The address of an API server, and how to authenticate. */
export interface Connection {
  /** 'https://10.0.0.1:6443'; a path in it precedes every path of the API. */
  readonly server: string;
  /** The namespace of the context, or of the pod in which the program runs. */
  readonly namespace?: string | undefined;
  /** 'http://proxy:3128': every connection is a tunnel through it (CONNECT). @default - none */
  readonly proxy?: string | undefined;
  /** The server's certificate is not checked; the client logs a warning. @default false */
  readonly isInsecure?: boolean | undefined;
  /**
   * Called before each request, so that updated files and tokens of plugins take effect. After a 401 it is called once
   * more with `isRefused`, which invalidates cached credentials.
   */
  authorize(options?: { readonly isRefused?: boolean }): Promise<Authorization>;
}

/**
 * The identity to impersonate, as far as RBAC allows it
 * (https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/).
 */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The explicit description of a connection. Files are read again after a minute, and when credentials were refused. */
export interface ConnectionProps {
  /** 'https://10.0.0.1:6443' */
  readonly server: string;
  /** PEM of the authorities that sign the server's certificate. @default - the authorities of Node */
  readonly ca?: TextOrFile | undefined;
  /** PEM of the client's certificate, with `key`. */
  readonly cert?: TextOrFile | undefined;
  readonly key?: TextOrFile | undefined;
  /** A bearer token. */
  readonly token?: TextOrFile | undefined;
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
  readonly impersonate?: Impersonation | undefined;
  /** The name that the server's certificate must have. @default - the host of `server` */
  readonly servername?: string | undefined;
  /**
   * The server's certificate is not checked: anyone on the network path can read everything and impersonate the server.
   */
  readonly isInsecure?: boolean | undefined;
  /** 'http://proxy:3128', by CONNECT. @default - none */
  readonly proxy?: string | undefined;
  /** @default - none */
  readonly namespace?: string | undefined;
}

/**
 * Returns the described connection. An unreadable file is reported at the first call.
 *
 * @example
 * ```ts
 * import { connectionTo } from '@tenantry/runtime';
 *
 * const connection = connectionTo({
 *   server: 'https://10.0.0.1:6443',
 *   ca: { file: '/etc/operator/ca.crt' },
 *   token: { file: '/var/run/tokens/cluster' },
 * });
 * console.log(connection.server); // https://10.0.0.1:6443
 * ```
 */
export function connectionTo(props: ConnectionProps, clock: Clock = systemClock): Connection {
  const files = new FileCache(clock);
  const pair = new ClientPair(files);
  const { server, namespace, proxy, isInsecure = false } = props;
  return {
    server,
    namespace,
    proxy,
    isInsecure,
    authorize: async ({ isRefused = false } = {}): Promise<Authorization> => {
      const options = { isNew: isRefused };
      const read = (text: TextOrFile): Promise<string> => files.read(text, options);
      const [headers, tls, own] = await Promise.all([
        buildHeaders(props, read),
        readTlsMaterial(props, read),
        pair.read(props, options),
      ]);
      return { headers, tls: { ...tls, ...own } };
    },
  };
}

type Read = (text: TextOrFile) => Promise<string>;

async function buildHeaders(
  { token, basic, impersonate }: ConnectionProps,
  read: Read,
): Promise<RequestHeaders> {
  const bearer = token === undefined ? undefined : `Bearer ${await readToken(token, read)}`;
  return omitUndefined({
    authorization: bearer ?? (basic && `Basic ${base64(`${basic.username}:${basic.password}`)}`),
    ...(impersonate && buildImpersonationHeaders(impersonate)),
  });
}

async function readToken(token: TextOrFile, read: Read): Promise<string> {
  const text = (await read(token)).trim();
  if (text === '') throw new Error('token must hold a token, got nothing');
  if (/^[\x20-\x7e]+$/.test(text)) return text;
  const where = typeof token === 'string' ? 'token' : token.file;
  throw new Error(`${where} must hold one token, got line breaks or other characters in it`);
}

function buildImpersonationHeaders({
  user,
  uid,
  groups,
  extra = {},
}: Impersonation): RequestHeaders {
  const extras = Object.entries(extra).map(([key, values]) => [
    `Impersonate-Extra-${encodeURIComponent(key)}`,
    values,
  ]);
  return omitUndefined({
    'Impersonate-User': user,
    'Impersonate-Uid': uid,
    'Impersonate-Group': groups && groups.length > 0 ? groups : undefined,
    ...Object.fromEntries(extras),
  });
}

async function readTlsMaterial(
  { ca, servername, isInsecure }: ConnectionProps,
  read: Read,
): Promise<TlsMaterial> {
  return omitUndefined({
    ca: ca === undefined ? undefined : await read(ca),
    servername,
    rejectUnauthorized: isInsecure ? false : undefined,
  });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

type Pair = Pick<TlsMaterial, 'cert' | 'key'>;

interface ReadOptions {
  /** Skips the cache. */
  readonly isNew: boolean;
}

/**
 * A client's certificate with its key. Two files are not written at once, so a pair that does not match is read again.
 * Until it matches, the previous pair is used.
 */
class ClientPair {
  readonly #files: FileCache;
  #good: Pair | undefined;

  constructor(files: FileCache) {
    this.#files = files;
  }

  /** If there never was a matching pair, it is used as it is, and TLS reports the error. */
  async read(props: Pick<ConnectionProps, 'cert' | 'key'>, options: ReadOptions): Promise<Pair> {
    const first = await this.#read(props, options);
    if (this.#fits(first)) return first;
    const second = await this.#read(props, { isNew: true });
    return this.#fits(second) ? second : (this.#good ?? second);
  }

  async #read(
    { cert, key }: Pick<ConnectionProps, 'cert' | 'key'>,
    options: ReadOptions,
  ): Promise<Pair> {
    return omitUndefined({
      cert: cert === undefined ? undefined : await this.#files.read(cert, options),
      key: key === undefined ? undefined : await this.#files.read(key, options),
    });
  }

  #fits(pair: Pair): boolean {
    const { cert, key } = pair;
    if (cert === undefined || key === undefined) return true;
    if (cert === this.#good?.cert && key === this.#good.key) return true;
    try {
      createSecureContext({ cert, key });
    } catch {
      return false;
    }
    this.#good = pair;
    return true;
  }
}

/** A text, or a file that contains it and may change at any time. */
export type TextOrFile = string | { readonly file: string };

/** Milliseconds, as in client-go. Kubelets renew a token after 80% of its lifetime. */
const maxAge = 60_000;

interface CachedFile {
  readonly text: string;
  readonly readAt: number;
}

class FileCache {
  readonly #clock: Clock;
  readonly #remembered = new Map<string, CachedFile>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the text. A file that became unreadable or empty, for example while it is being
   * written, keeps its previous content until the next read.
   * @throws {Error} for a file that was never readable or always empty
   */
  async read(text: TextOrFile, { isNew }: ReadOptions): Promise<string> {
    if (typeof text === 'string') return text;
    const known = this.#remembered.get(text.file);
    if (known && !isNew && this.#clock.now() - known.readAt < maxAge) return known.text;
    try {
      const read = await readFile(text.file, 'utf8');
      if (read.trim() === '') throw new Error(`${text.file} must hold something, got nothing`);
      this.#remembered.set(text.file, { text: read, readAt: this.#clock.now() });
      return read;
    } catch (error) {
      if (known) return known.text;
      throw error;
    }
  }
}
