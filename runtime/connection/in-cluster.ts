import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../clock/clock.ts';
import type { Connection } from './connection.ts';
import { connectionTo } from './explicit.ts';

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
