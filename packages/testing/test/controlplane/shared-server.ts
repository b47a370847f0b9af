import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { createConnection, createServer, type AddressInfo, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { findBinaries } from '../../controlplane/binaries.ts';
import { startCluster, type Cluster, type ClusterDetails } from '../../controlplane/cluster.ts';

/** The variable that gives the workers of a run the address of the server. */
export const addressVariable = 'TENANTRY_SHARED_CLUSTER';

/** The key in globalThis under which jest's setup leaves the server for its teardown. */
export const serverKey = 'tenantry shared cluster';

/** The answer to a test that requests the cluster of its run, as one line of JSON. */
export type SharedClusterReply =
  | { readonly details: ClusterDetails; readonly reason?: undefined; readonly error?: undefined }
  /** There are no programs: a reason to skip. */
  | { readonly reason: string; readonly details?: undefined; readonly error?: undefined }
  /** It should have started, but did not. */
  | { readonly error: string; readonly details?: undefined; readonly reason?: undefined };

/** Requests the cluster from the server of a run, which may be starting it just now. */
export async function requestSharedCluster(address: string): Promise<SharedClusterReply> {
  const [port = '', secret = ''] = address.split(':');
  const socket = createConnection(Number(port), '127.0.0.1');
  socket.end(secret);
  return JSON.parse(await text(socket)) as SharedClusterReply;
}

/**
 * Owns the one cluster of a run, in jest's main process. It listens on a port of 127.0.0.1, and starts
 * the cluster when the first worker requests it with the secret. A single owner needs no lock between
 * the workers. A worker that is replaced ends nothing, and a run that is killed leaves no file.
 */
export class SharedServer {
  readonly #secret = randomBytes(16).toString('hex');
  readonly #server: Server;
  #starting: Promise<Cluster | string> | undefined;

  constructor() {
    this.#server = createServer({ allowHalfOpen: true }, async (asking) => {
      asking.on('error', () => {}); // a worker that ended while it waited
      const secret = await text(asking).catch(() => '');
      if (secret !== this.#secret) return asking.destroy();
      return asking.end(JSON.stringify(await this.#answer()));
    });
    this.#server.unref();
  }

  /** Returns its address. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `${(this.#server.address() as AddressInfo).port}:${this.#secret}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    const cluster = await this.#starting?.catch(() => undefined);
    if (typeof cluster === 'object') await cluster.stop();
  }

  async #answer(): Promise<SharedClusterReply> {
    this.#starting ??= startFullCluster();
    try {
      const cluster = await this.#starting;
      return typeof cluster === 'string' ? { reason: cluster } : { details: cluster.details };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** Starts a cluster with all parts, or returns why there are no programs for one. */
export async function startFullCluster(): Promise<Cluster | string> {
  const { binaries, reason } = await findBinaries();
  if (!binaries) return reason;
  return startCluster({ binaries, controllerManager: true, scheduler: true, readyPods: true });
}
