import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeAdminToken } from './admin-token.ts';
import { Authority, type KeyPair } from './certificates.ts';
import { buildKubeconfig, type Credentials } from './credentials.ts';

/** Enough to reach a cluster from another process, and to be anyone there; it can go as JSON. */
export interface ClusterDetails {
  readonly server: string;
  readonly authority: KeyPair;
  readonly folder: string;
  /** '1.36.3' */
  readonly version: string;
}

/**
 * Who can ask a cluster. Who asks is proved by a certificate that the cluster's own authority signs on
 * the spot (--client-ca-file), as kubeadm does it for people: the user's name is its common name, the
 * groups are its organizations. So a user needs no preparation and no restart, and no second service
 * that answers for tokens; and the audit log names the user alone, without an administrator who
 * impersonates.
 */
export class Identities {
  readonly #details: ClusterDetails;
  readonly #authority: Authority;

  constructor(details: ClusterDetails) {
    this.#details = details;
    this.#authority = new Authority(details.authority);
  }

  /** Member of system:masters: may do everything. Proved by a token, which costs the server less. */
  get admin(): Credentials {
    return this.withToken(computeAdminToken(this.#details.authority));
  }

  user(name: string, groups: readonly string[] = []): Credentials {
    const { certificate, key } = this.#authority.issue({ commonName: name, organizations: groups });
    return { ...this.#server, cert: certificate, key };
  }

  withToken(token: string): Credentials {
    return { ...this.#server, token };
  }

  /** A certificate that a webhook or an API server of a test can serve with, and its authority. */
  issueServingCertificate(hosts: readonly string[]): KeyPair & { readonly authority: string } {
    const pair = this.#authority.issue({ commonName: hosts[0] ?? 'localhost', hosts });
    return { ...pair, authority: this.#details.authority.certificate };
  }

  /** Writes a kubeconfig, for programs, and gives its path; it goes away with the cluster. */
  kubeconfigFile(fileName: string, credentials: Credentials): string {
    const path = join(this.#details.folder, 'kubeconfigs', fileName);
    writeFileSync(path, buildKubeconfig(credentials), { mode: 0o600 });
    return path;
  }

  get #server(): Pick<Credentials, 'server' | 'ca'> {
    const { server, authority } = this.#details;
    return { server, ca: authority.certificate };
  }
}
