import { createHash } from 'node:crypto';
import { issueCertificate } from './certify.ts';
import {
  coversHosts,
  parseValidity,
  validateKeyPair,
  type IssuedKeyPair,
  type KeyPair,
} from './key-pair.ts';
import type { X509 } from './x509.ts';

export interface IssueKeyPairProps {
  /** The served names and addresses: `<service>.<namespace>.svc`. */
  readonly hosts: readonly string[];
  /** Milliseconds for which the certificate is valid. */
  readonly validFor: number;
  readonly now: Date;
}

/** The clocks of API servers may be behind by as much. */
const backdated = 60 * 60 * 1000;

/** Issues a certificate by a new authority whose key is discarded: it signs nothing else and cannot be stolen. */
export function issueKeyPair(
  x509: X509,
  { hosts, validFor, now }: IssueKeyPairProps,
): IssuedKeyPair {
  const validity = {
    from: new Date(now.getTime() - backdated),
    to: new Date(now.getTime() + validFor),
  };
  const name = hosts[0] ?? 'webhooks';
  const number = now.toISOString();
  const authority = issueCertificate(
    x509,
    { commonName: `${name} ${number}`.slice(-64) },
    'authority',
    validity,
  );
  const pair = issueCertificate(
    x509,
    { commonName: name.slice(0, 64) },
    { hosts },
    validity,
    authority,
  );
  return { ...pair, authority: authority.certificate };
}

/** Whether a client that trusts the authority accepts the certificate for all of the hosts. */
export function isUsable(generation: IssuedKeyPair, hosts: readonly string[], now: Date): boolean {
  if (validateKeyPair(generation) !== undefined) return false;
  const { from, to } = parseValidity(generation.certificate);
  const time = now.getTime();
  return from <= time && time < to && coversHosts(generation.certificate, hosts);
}

/** Whether two thirds of the validity are over. */
export function isDueForRotation({ certificate }: KeyPair, now: Date): boolean {
  const { from, to } = parseValidity(certificate);
  return now.getTime() >= from + ((to - from) * 2) / 3;
}

/** Returns the fingerprint that identifies a certificate in logs. */
export function computeFingerprint(certificate: string): string {
  return createHash('sha256').update(certificate).digest('hex').slice(0, 16);
}
