import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeAdminToken } from './admin-token.ts';
import { Authority, type KeyPair } from './certificates.ts';
import { buildKubeconfig, type Credentials } from './credentials.ts';

/** All that another process needs to reach a cluster as any user. It can be sent as JSON. */
export interface ClusterDetails {
  readonly server: string;
  readonly authority: KeyPair;
  readonly folder: string;
  /** '1.36.3' */
  readonly version: string;
}

/**
 * Issues credentials for users of a cluster. A user authenticates with a certificate that the cluster's
 * own authority signs on the spot (--client-ca-file), as kubeadm does. Its common name is the user's
 * name, and its organizations are the groups. So a user needs no preparation, no restart and no token
 * service. The audit log has the user alone, without an administrator who impersonates.
 */
export class Identities {
  readonly #details: ClusterDetails;
  readonly #authority: Authority;

  constructor(details: ClusterDetails) {
    this.#details = details;
    this.#authority = new Authority(details.authority);
  }

  /** A member of system:masters, who may do everything. It uses a token, which costs the server less. */
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

  /**
   * Issues a certificate that a test's webhook or API server can serve with, and returns its authority
   * too.
   */
  issueServingCertificate(hosts: readonly string[]): KeyPair & { readonly authority: string } {
    const pair = this.#authority.issue({ commonName: hosts[0] ?? 'localhost', hosts });
    return { ...pair, authority: this.#details.authority.certificate };
  }

  /** Writes a kubeconfig for programs, and returns its path. It is deleted with the cluster. */
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
