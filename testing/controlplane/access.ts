import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminTokenOf } from './admintoken.ts';
import { Authority, type KeyPair } from './certificates.ts';
import { Client } from './client.ts';
import { kubeconfigOf } from './connection.ts';

/** Enough to reach a cluster from another process, and to be anyone there; it can go as JSON. */
export interface ClusterDetails {
  readonly server: string;
  readonly authority: KeyPair;
  readonly folder: string;
  /** '1.36.3' */
  readonly version: string;
}

/** One entry of the audit log (audit.k8s.io/v1, Event), the fields that tests look at. */
export interface AuditEntry {
  readonly verb: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly impersonatedUser?: { readonly username: string };
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: {
    readonly code: number;
    readonly reason?: string;
    readonly message?: string;
  };
  /** What authorizers and admission noted: `authorization.k8s.io/decision` is `allow` or `forbid`. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** What was sent; of writes only. */
  readonly requestObject?: unknown;
  readonly stage: string;
  readonly stageTimestamp: string;
  /** With microseconds. */
  readonly requestReceivedTimestamp: string;
}

/**
 * A real API server with its own etcd, seen from any process. Who asks is proved by a certificate
 * that the cluster's own authority signs on the spot (--client-ca-file), as kubeadm does it for
 * people: the user's name is its common name, the groups are its organizations. So a user needs no
 * preparation and no restart, and no second service that answers for tokens; and the audit log names
 * the user alone, without an administrator who impersonates.
 */
export class ClusterAccess {
  readonly details: ClusterDetails;
  /** Member of system:masters: may do everything. Proved by a token, which costs the server less. */
  readonly admin: Client;
  readonly #authority: Authority;

  constructor(details: ClusterDetails) {
    this.details = details;
    this.#authority = new Authority(details.authority);
    this.admin = new Client({
      server: details.server,
      authority: details.authority.certificate,
      identity: { token: adminTokenOf(details.authority) },
    });
  }

  /** 'https://127.0.0.1:41234' */
  get server(): string {
    return this.details.server;
  }

  /** A client that is this user and nobody else; the API server adds system:authenticated. */
  user(name: string, { groups = [] }: { readonly groups?: readonly string[] } = {}): Client {
    return new Client({
      server: this.details.server,
      authority: this.details.authority.certificate,
      identity: this.#authority.issue({ commonName: name, organizations: groups }),
    });
  }

  /** A client with a token of the API server (TokenRequest) for a service account that exists. */
  async serviceAccount(namespace: string, name: string): Promise<Client> {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name };
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status, body } = await this.admin.put(account, 'token', request, { method: 'POST' });
    if (status !== 201) throw new Error(`no token for ${namespace}/${name}: ${body.message}`);
    return new Client({
      server: this.details.server,
      authority: this.details.authority.certificate,
      identity: { token: (body.status as { token: string }).token },
    });
  }

  /** A certificate that a webhook or an API server of a test can serve with, and its authority. */
  servingCertificate(hosts: readonly string[]): KeyPair & { readonly authority: string } {
    const pair = this.#authority.issue({ commonName: hosts[0] ?? 'localhost', hosts });
    return { ...pair, authority: this.details.authority.certificate };
  }

  /** Writes a kubeconfig of that client, for programs; it goes away with the cluster. */
  kubeconfigFile(fileName: string, client: Client = this.admin): string {
    const path = join(this.details.folder, 'kubeconfigs', fileName);
    writeFileSync(path, kubeconfigOf(client.connection), { mode: 0o600 });
    return path;
  }

  /**
   * All that the API server has noted so far, the oldest first. It notes a request when it has
   * answered it, so a test that has an answer asks until the entry is there.
   */
  auditLog(): AuditEntry[] {
    const lines = readFileSync(join(this.details.folder, 'audit.log'), 'utf8').split('\n');
    return lines.slice(0, -1).map((line) => JSON.parse(line) as AuditEntry);
  }
}
