import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import type { Authorization, Connection, RequestHeaders, TlsMaterial } from './connection.ts';
import { ClientPair } from './client-pair.ts';
import { FileCache, type TextOrFile } from './files.ts';

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
 * import { connectionTo } from 'tenantry/runtime';
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
      const read = (text: TextOrFile): Promise<string> => files.read(text, isRefused);
      const [headers, tls, own] = await Promise.all([
        buildHeaders(props, read),
        readTlsMaterial(props, read),
        pair.read(props, isRefused),
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
  return {
    ...(basic && { authorization: `Basic ${base64(`${basic.username}:${basic.password}`)}` }),
    ...(token !== undefined && { authorization: `Bearer ${await readToken(token, read)}` }),
    ...(impersonate && buildImpersonationHeaders(impersonate)),
  };
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
  return {
    'Impersonate-User': user,
    ...(uid !== undefined && { 'Impersonate-Uid': uid }),
    ...(groups && groups.length > 0 && { 'Impersonate-Group': groups }),
    ...Object.fromEntries(extras),
  };
}

async function readTlsMaterial(
  { ca, servername, isInsecure }: ConnectionProps,
  read: Read,
): Promise<TlsMaterial> {
  return {
    ...(ca !== undefined && { ca: await read(ca) }),
    ...(servername !== undefined && { servername }),
    ...(isInsecure && { rejectUnauthorized: false }),
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
