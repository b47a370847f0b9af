import type { KubeConfig } from '@kubernetes/client-node';
import type { RequestOptions } from 'node:https';
import { impersonationOf, serverProps, type ChosenContext } from './context.ts';
import type { Authorization, Connection, RequestHeaders } from './connection.ts';
import { connectionTo } from './explicit.ts';
import type { Clock } from '../clock/clock.ts';
import { pathFrom } from './kubeconfig.ts';

/** What is used of the package. */
interface ClientNode {
  readonly KubeConfig: typeof KubeConfig;
}

/**
 * The connection of a context whose credentials come from a program (exec) or a provider (oidc):
 * @kubernetes/client-node gets them, remembers them until they expire, and gets them anew; nothing is
 * sent through it. The certificate that a program gives is taken too.
 * @throws {Error} where the package is not installed
 */
export async function viaClientNode(
  chosen: ChosenContext,
  clock: Clock,
  load: () => Promise<ClientNode> = () => import('@kubernetes/client-node'),
): Promise<Connection> {
  const { KubeConfig } = await load().catch((cause: unknown) => {
    throw new Error(missing(chosen), { cause });
  });
  const loaded = (): KubeConfig => {
    const config = new KubeConfig();
    config.loadFromClusterAndUser(clusterOf(chosen), userOf(chosen));
    return config;
  };
  let config = loaded();
  const impersonate = impersonationOf(chosen.user);
  const server = connectionTo({ ...serverProps(chosen.cluster), impersonate }, clock);
  return {
    ...server,
    namespace: chosen.namespace,
    authorize: async (options): Promise<Authorization> => {
      // What it remembers was refused, and it cannot be told to forget.
      if (options?.isRefused) config = loaded();
      const [own, given] = await Promise.all([server.authorize(options), credentialsOf(config)]);
      return { headers: { ...own.headers, ...given.headers }, tls: { ...own.tls, ...given.tls } };
    },
  };
}

function missing({ user, userName }: ChosenContext): string {
  const field = user.value.exec === undefined ? 'auth-provider' : 'exec';
  const install = 'npm install @kubernetes/client-node@^2.0.0';
  return `${user.file} gives the user '${userName}' credentials by ${field}, for which a package must be installed: ${install}`;
}

/** TLS to the server is ours; a cluster without https is refused where it gets credentials. */
function clusterOf({ clusterName, cluster }: ChosenContext) {
  return { name: clusterName, server: cluster.value.server, skipTLSVerify: true };
}

function userOf({ userName, user }: ChosenContext) {
  const { exec, 'auth-provider': authProvider } = user.value;
  return {
    name: userName ?? '',
    ...(exec && { exec: withPath(exec, user.file) }),
    ...(authProvider && { authProvider }),
  };
}

/** A command with a slash is relative to the kubeconfig; one without is looked for in PATH. */
function withPath(exec: Readonly<Record<string, unknown>>, file: string): object {
  const { command, args, env, ...rest } = exec;
  const isRelative = typeof command === 'string' && /[/\\]/.test(command);
  return {
    ...rest,
    command: isRelative ? pathFrom(file, command) : command,
    // kubectl writes null for an empty list.
    args: args ?? [],
    ...(env !== null && env !== undefined && { env }),
  };
}

async function credentialsOf(config: KubeConfig): Promise<Authorization> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { cert, key } = options;
  return {
    headers: headersOf(options.headers),
    tls: {
      ...(isPem(cert) && { cert: String(cert) }),
      ...(isPem(key) && { key: String(key) }),
    },
  };
}

function isPem(value: unknown): value is string | Buffer {
  return typeof value === 'string' || Buffer.isBuffer(value);
}

function headersOf(headers: RequestOptions['headers'] = {}): RequestHeaders {
  const entries = Array.isArray(headers) ? [] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
