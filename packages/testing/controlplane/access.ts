import { AuditLog, type AuditEntry } from './audit-log.ts';
import type { KeyPair } from '@tenantry/runtime/certificates/key-pair';
import { Client, requestToken } from './client.ts';
import { Identities, type ClusterDetails } from './credentials.ts';

export type { AuditEntry } from './audit-log.ts';
export type { ClusterDetails } from './credentials.ts';

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
