import { generateKeyPairSync, createHmac } from 'node:crypto';
import { issueCertificate, loadX509, type Subject } from '@tenantry/runtime/certificates/certify';
import type { KeyPair } from '@tenantry/runtime/certificates/key-pair';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface CertificateProps extends Subject {
  /**
   * Names and addresses of a serving certificate.
   * @default - a client certificate
   */
  readonly hosts?: readonly string[];
}

const hour = 60 * 60 * 1000;

/**
 * A certificate authority for tests. It signs serving and client certificates for the lifetime of a
 * cluster. Certificates are valid from an hour ago, for a year.
 */
export class Authority {
  /** The certificate with its key, so that another process can continue to sign. */
  readonly pair: KeyPair;

  constructor(pair?: KeyPair) {
    const subject = { commonName: 'tenantry test authority' };
    this.pair = pair ?? issueCertificate(loadX509(), subject, 'authority', computeValidity());
  }

  issue({ hosts, ...subject }: CertificateProps): KeyPair {
    const purpose = hosts ? { hosts } : 'client';
    return issueCertificate(loadX509(), subject, purpose, computeValidity(), this.pair);
  }
}

function computeValidity(): { readonly from: Date; readonly to: Date } {
  const now = Date.now();
  return { from: new Date(now - hour), to: new Date(now + 365 * 24 * hour) };
}

/** Generates a key pair for service account tokens, both PEM. */
export function generateSigningKeys(): { readonly privateKey: string; readonly publicKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKey, publicKey };
}

/**
 * The address of a test's API server, and the credentials of a user: a token, or a certificate with its
 * key. It contains everything (PEM), so that it can be sent to another process. `connectionTo` accepts
 * it.
 */
export interface Credentials {
  /** 'https://127.0.0.1:41234' */
  readonly server: string;
  /** The authority that signed the server's certificate. */
  readonly ca: string;
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Returns the same as a kubeconfig for kubectl, in JSON, which is YAML too. */
export function buildKubeconfig({ server, ca, token, cert = '', key = '' }: Credentials): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const user =
    token === undefined
      ? { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) }
      : { token };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

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

/**
 * Computes the token of a cluster's administrator (--token-auth-file). An API server verifies a
 * certificate on every request, which is a tenth of its work in this repository's tests; it only looks
 * up a token. The token is derived from the authority's key, so it is as secret, and the same in every
 * process that has the key.
 */
export function computeAdminToken({ key }: KeyPair): string {
  return createHmac('sha256', key).update('the administrator of this cluster').digest('hex');
}
