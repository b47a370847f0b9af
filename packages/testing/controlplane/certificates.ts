import { generateKeyPairSync } from 'node:crypto';
import { issueCertificate, loadX509, type Subject } from '@tenantry/runtime/certificates/certify';
import type { KeyPair } from '@tenantry/runtime/certificates/key-pair';

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
