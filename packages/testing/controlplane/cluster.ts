import { AuditLog, type AuditEntry } from './audit-log.ts';
import type { KeyPair } from '@tenantry/runtime/certificates/key-pair';
import { Client, requestToken } from './client.ts';
import { Identities, type ClusterDetails } from './credentials.ts';
import { launchCluster, type ClusterOptions, type LaunchedCluster } from './launch.ts';

export type { AuditEntry } from './audit-log.ts';
export type { ClusterDetails } from './credentials.ts';
export type { ClusterOptions } from './launch.ts';

/**
 * A real API server with its own etcd, reachable from any process, with clients that return every
 * answer with its status. The tests of this repository use it; users of the package get a
 * `ControlPlane`.
 */
export class ClusterAccess {
  readonly details: ClusterDetails;
  /** A member of system:masters: may do everything. */
  readonly admin: Client;
  readonly #identities: Identities;
  readonly #log: AuditLog;

  /** @param log Default: all that the API server has logged since it started */
  constructor(details: ClusterDetails, log = new AuditLog(details.folder)) {
    this.details = details;
    this.#log = log;
    this.#identities = new Identities(details);
    this.admin = new Client(this.#identities.admin);
  }

  /** 'https://127.0.0.1:41234' */
  get server(): string {
    return this.details.server;
  }

  /** Returns a client that acts as exactly this user; the API server adds system:authenticated. */
  user(name: string, { groups = [] }: { readonly groups?: readonly string[] } = {}): Client {
    return new Client(this.#identities.user(name, groups));
  }

  /** Returns a client for an existing service account, with a token of the API server (TokenRequest). */
  async serviceAccount(namespace: string, name: string): Promise<Client> {
    const token = await requestToken(this.admin, namespace, name);
    return new Client(this.#identities.withToken(token));
  }

  /**
   * Issues a certificate that a test's webhook or API server can serve with, and returns its authority
   * too.
   */
  servingCertificate(hosts: readonly string[]): KeyPair & { readonly authority: string } {
    return this.#identities.issueServingCertificate(hosts);
  }

  /** Writes a kubeconfig of that client, for programs. It is deleted with the cluster. */
  kubeconfigFile(fileName: string, client: Client = this.admin): string {
    return this.#identities.kubeconfigFile(fileName, client.credentials);
  }

  /**
   * Returns all that the API server has logged so far, oldest first. The API server writes an entry
   * after its answer, so a test that has an answer polls until the entry is there.
   */
  auditLog(): AuditEntry[] {
    return this.#log.entries();
  }
}

/** A cluster that this process started. It ends with the process, or with `stop`. */
export class Cluster extends ClusterAccess implements AsyncDisposable {
  readonly #launched: LaunchedCluster;

  constructor(launched: LaunchedCluster) {
    super(launched.details);
    this.#launched = launched;
  }

  /** Ends its processes, and removes its folder with all data unless the folder is to be kept. */
  async stop(): Promise<void> {
    this.admin.close();
    await this.#launched.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Starts a cluster and returns when all requested parts are ready: at least the API server with etcd. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  return new Cluster(await launchCluster(options));
}
