import type { KubeConfig } from '@kubernetes/client-node';
import type { RequestOptions } from 'node:https';
import { singleFlight } from './single-flight.ts';
import { parseImpersonation, buildServerProps, type ResolvedContext } from './context.ts';
import type { Authorization, Connection, RequestHeaders } from './connection.ts';
import { connectionTo } from './explicit.ts';
import type { Clock } from '../clock/clock.ts';
import { clientNode } from '../packages/optional.cjs';

/** The part of the package that is used. */
interface ClientNode {
  readonly KubeConfig: typeof KubeConfig;
}

/**
 * Returns the connection of a context whose credentials come from an auth provider (oidc). The package
 * @kubernetes/client-node obtains them, caches them until they expire, and renews them; no request is sent through it.
 * Calls obtain them one at a time: the second use of one refresh token would be refused.
 * @throws {Error} if the package is not installed
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
      // Its cached credentials were refused, and it has no way to drop them.
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

/** The runtime itself connects to the server with TLS. Credentials are refused to a cluster without https. */
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
