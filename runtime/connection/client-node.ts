import type { KubeConfig } from '@kubernetes/client-node';
import type { RequestOptions } from 'node:https';
import { singleFlight } from './single-flight.ts';
import { parseImpersonation, buildServerProps, type ResolvedContext } from './context.ts';
import type { Authorization, Connection, RequestHeaders } from './connection.ts';
import { connectionTo } from './explicit.ts';
import type { Clock } from '../clock/clock.ts';
import { clientNode } from '../packages/optional.cjs';

/** What is used of the package. */
interface ClientNode {
  readonly KubeConfig: typeof KubeConfig;
}

/**
 * The connection of a context whose credentials come from a provider (oidc): @kubernetes/client-node gets
 * them, remembers them until they expire, and gets them anew; nothing is sent through it. They are got for one
 * call at a time: of two that use one refresh token, the second would be refused.
 * @throws {Error} where the package is not installed
 */
export async function connectViaClientNode(
  chosen: ResolvedContext,
  clock: Clock,
  load: () => Promise<ClientNode> = clientNode,
): Promise<Connection> {
  const { KubeConfig } = await load().catch((cause: unknown) => {
    throw new Error(formatMissingPackage(chosen), { cause });
  });
  const loaded = (): KubeConfig => {
    const config = new KubeConfig();
    config.loadFromClusterAndUser(clusterOf(chosen), userOf(chosen));
    return config;
  };
  let config = loaded();
  const ask = singleFlight(() => loadCredentials(config));
  const impersonate = parseImpersonation(chosen.user);
  const server = connectionTo({ ...buildServerProps(chosen.cluster), impersonate }, clock);
  return {
    ...server,
    namespace: chosen.namespace,
    authorize: async (options): Promise<Authorization> => {
      // What it remembers was refused, and it cannot be told to forget.
      if (options?.isRefused) config = loaded();
      const [own, given] = await Promise.all([server.authorize(options), ask()]);
      return { headers: { ...own.headers, ...given }, tls: own.tls };
    },
  };
}

function formatMissingPackage({ user, userName }: ResolvedContext): string {
  const install = 'npm install @kubernetes/client-node@^2.0.0';
  return `${user.file} gives the user '${userName}' credentials by auth-provider, for which a package must be installed: ${install}`;
}

/** TLS to the server is ours; a cluster without https is refused where it gets credentials. */
function clusterOf({ clusterName, cluster }: ResolvedContext) {
  return { name: clusterName, server: cluster.value.server, skipTLSVerify: true };
}

function userOf({ userName, user }: ResolvedContext) {
  return { name: userName ?? '', authProvider: user.value['auth-provider'] };
}

async function loadCredentials(config: KubeConfig): Promise<RequestHeaders> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return headersOf(options.headers);
}

function headersOf(headers: RequestOptions['headers'] = {}): RequestHeaders {
  const entries = Array.isArray(headers) ? [] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
