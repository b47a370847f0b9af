import { AuditLog, type AuditEntry } from './audit-log.ts';
import type { KeyPair } from './certificates.ts';
import { Client } from './client.ts';
import { Identities, type ClusterDetails } from './identities.ts';
import { requestToken } from './service-token.ts';

export type { AuditEntry } from './audit-log.ts';
export type { ClusterDetails } from './identities.ts';

/**
 * A real API server with its own etcd, seen from any process, by clients that give every answer with
 * its status: what the tests of this repository ask. Users get a `ControlPlane`.
 */
export class ClusterAccess {
  readonly details: ClusterDetails;
  /** Member of system:masters: may do everything. */
  readonly admin: Client;
  readonly #identities: Identities;
  readonly #log: AuditLog;

  /** @param log Default: all that was noted since it was started */
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

  /** A client that is this user and nobody else; the API server adds system:authenticated. */
  user(name: string, { groups = [] }: { readonly groups?: readonly string[] } = {}): Client {
    return new Client(this.#identities.user(name, groups));
  }

  /** A client with a token of the API server (TokenRequest) for a service account that exists. */
  async serviceAccount(namespace: string, name: string): Promise<Client> {
    const token = await requestToken(this.admin, namespace, name);
    return new Client(this.#identities.withToken(token));
  }

  /** A certificate that a webhook or an API server of a test can serve with, and its authority. */
  servingCertificate(hosts: readonly string[]): KeyPair & { readonly authority: string } {
    return this.#identities.issueServingCertificate(hosts);
  }

  /** Writes a kubeconfig of that client, for programs; it goes away with the cluster. */
  kubeconfigFile(fileName: string, client: Client = this.admin): string {
    return this.#identities.kubeconfigFile(fileName, client.credentials);
  }

  /**
   * All that the API server has noted so far, the oldest first. It notes a request when it has
   * answered it, so a test that has an answer asks until the entry is there.
   */
  auditLog(): AuditEntry[] {
    return this.#log.entries();
  }
}
