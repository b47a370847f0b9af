import { readFile } from 'node:fs/promises';
import { isIPv6, BlockList, isIP } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../clock/clock.ts';
import { connectionTo, type Connection } from './connection.ts';
import { validateProxyUrl } from './address.ts';

/** Environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder in which kubelets put the credentials of a pod's service account. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether the program runs in a pod that can reach its cluster, according to the variables that Kubernetes sets. */
export function isInCluster({
  KUBERNETES_SERVICE_HOST,
  KUBERNETES_SERVICE_PORT,
}: Environment): boolean {
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
  const value = valueOf(environment, name);
  if (value === undefined) return undefined;
  const target = {
    host: hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase(),
    port: port || (isTls ? '443' : '80'),
  };
  if (isLocal(target.host) || isExcepted(target, valueOf(environment, 'NO_PROXY')))
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

function valueOf(environment: Environment, name: string): string | undefined {
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
