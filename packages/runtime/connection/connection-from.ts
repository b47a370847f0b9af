import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { systemClock, type Clock } from '../clock/clock.ts';
import { connectViaProgram, connectViaClientNode } from './user-credentials.ts';
import { type Connection, connectionTo, type Environment } from './connection.ts';
import {
  resolveContext,
  buildConnectionProps,
  createKubeconfigError,
  mergeKubeconfigs,
  type Kubeconfig,
} from './kubeconfig.ts';
import { resolveProxy } from './address.ts';

/** Where to find a connection. */
export interface ConnectionOptions {
  /** The path of a kubeconfig. @default - see `connectionFrom` */
  readonly kubeconfig?: string | undefined;
  /** The name of a context of the kubeconfig. @default - its current one */
  readonly context?: string | undefined;
  /** @default process.env */
  readonly environment?: Environment | undefined;
  /** The folder that contains `.kube/config`. @default - the user's home */
  readonly home?: string | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * Returns the first connection that is found in: the given kubeconfig; the kubeconfigs in KUBECONFIG, merged; the
 * cluster of the pod that the program runs in; `~/.kube/config`. A given context is always one of a kubeconfig, so the
 * pod's cluster is then skipped.
 *
 * Supports certificates, tokens, their files, basic authentication, impersonation and credential programs (`exec`).
 * `auth-provider` requires the package @kubernetes/client-node. A program gets no terminal, and a minute to answer. If
 * the kubeconfig names no proxy, HTTPS_PROXY and NO_PROXY of the environment apply, as in kubectl.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { connectionFrom } from '@tenantry/runtime';
 *
 * const kubeconfig = {
 *   clusters: [{ name: 'home', cluster: { server: 'https://10.0.0.1:6443' } }],
 *   contexts: [{ name: 'home', context: { cluster: 'home', namespace: 'shop', user: 'me' } }],
 *   users: [{ name: 'me', user: { token: 'secret' } }],
 * };
 * await writeFile('config', JSON.stringify(kubeconfig));
 *
 * const connection = await connectionFrom({ kubeconfig: 'config', context: 'home' });
 * console.log(connection.server, connection.namespace); // https://10.0.0.1:6443 shop
 * ```
 *
 * @throws {InvalidInput} if the kubeconfig is invalid, with file, line and column
 * @throws {Error} if none of them exists, or a package is missing
 */
export async function connectionFrom(options: ConnectionOptions = {}): Promise<Connection> {
  const { environment = process.env } = options;
  const connection = await resolveConnection({ ...options, environment });
  const proxy = connection.proxy ?? resolveProxy(connection.server, environment);
  return { ...connection, proxy };
}

async function resolveConnection(
  options: ConnectionOptions & { readonly environment: Environment },
): Promise<Connection> {
  const { environment, clock = systemClock, context } = options;
  const config = await loadKubeconfig(options);
  if (!config) return connectInCluster(environment, clock);
  const chosen = resolveContext(config, context);
  const { exec, 'auth-provider': provider } = chosen.user.value;
  if (exec) return connectViaProgram(chosen, exec, environment, clock);
  return provider
    ? connectViaClientNode(chosen, clock)
    : connectionTo(buildConnectionProps(chosen), clock);
}

/**
 * Returns the merged kubeconfigs that `connectionFrom` uses; undefined if it uses the cluster of the pod.
 * @throws {InvalidInput} if one is invalid or missing
 * @throws {Error} if there is none
 */
export async function loadKubeconfig(
  options: ConnectionOptions = {},
): Promise<Kubeconfig | undefined> {
  const { environment = process.env, kubeconfig, context } = options;
  const paths = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const listed = kubeconfig === undefined ? paths : [kubeconfig];
  if (listed.length > 0) {
    const sources = await readAll(listed);
    if (sources.length > 0) return mergeKubeconfigs(sources);
    const message = 'must be a kubeconfig, got no such file';
    throw createKubeconfigError(listed.join(delimiter), '', message);
  }
  if (context === undefined && isInCluster(environment)) return undefined;
  const path = join(options.home ?? homedir(), '.kube', 'config');
  const sources = await readAll([path]);
  if (sources.length > 0) return mergeKubeconfigs(sources);
  throw new Error(
    `no cluster is configured: pass a kubeconfig, set KUBECONFIG, write ${path}, or run in a pod`,
  );
}

interface Source {
  readonly file: string;
  readonly text: string;
}

/** Reads files. Missing ones are left out, as by kubectl. */
async function readAll(paths: readonly string[]): Promise<Source[]> {
  const sources: Source[] = [];
  for (const path of paths) {
    const file = resolve(path);
    try {
      sources.push({ file, text: await readFile(file, 'utf8') });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') continue;
      const message = `must be a kubeconfig that can be read, got ${code}`;
      throw createKubeconfigError(file, '', message);
    }
  }
  return sources;
}

/** The folder in which kubelets put the credentials of a pod's service account. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether the program runs in a pod that can reach its cluster, according to the variables that Kubernetes sets. */
function isInCluster({ KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT }: Environment): boolean {
  return Boolean(KUBERNETES_SERVICE_HOST && KUBERNETES_SERVICE_PORT);
}

/**
 * Returns the connection of a pod to its cluster's API server, as the pod's service account. The token and the
 * authority are read again after a minute.
 * Source: https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/
 * @throws {Error} outside of a pod, and in a pod without a service account token
 */
export async function connectInCluster(
  environment: Environment,
  clock: Clock,
  folder = serviceAccountFolder,
): Promise<Connection> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port } = environment;
  if (!isInCluster(environment)) {
    const names = 'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT';
    throw new Error(`${names} must be set, as they are in pods of a cluster, got nothing`);
  }
  const token = { file: join(folder, 'token') };
  await readFile(token.file).catch((cause: unknown) => {
    const message = `${token.file} must hold the token of the pod's service account: is automountServiceAccountToken false?`;
    throw new Error(message, { cause });
  });
  const namespace = await readFile(join(folder, 'namespace'), 'utf8').catch(() => undefined);
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const ca = { file: join(folder, 'ca.crt') };
  return connectionTo({ server, token, ca, namespace: namespace?.trim() || undefined }, clock);
}
