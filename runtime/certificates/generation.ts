import { createHash } from 'node:crypto';
import { certify } from './certify.ts';
import { serves, validityOf, whyUseless, type Generation, type KeyPair } from './key-pair.ts';
import type { X509 } from './x509.ts';

export interface GenerationProps {
  /** Names and addresses that are served: `<service>.<namespace>.svc`. */
  readonly hosts: readonly string[];
  /** Milliseconds for which it holds. */
  readonly validFor: number;
  readonly now: Date;
}

/** Clocks of API servers may be behind ours by as much. */
const backdated = 60 * 60 * 1000;

/**
 * A new certificate, of a new authority whose key nobody keeps: it signs nothing else, and cannot be
 * stolen.
 */
export function newGeneration(x509: X509, { hosts, validFor, now }: GenerationProps): Generation {
  const validity = {
    from: new Date(now.getTime() - backdated),
    to: new Date(now.getTime() + validFor),
  };
  const name = hosts[0] ?? 'webhooks';
  const number = now.toISOString();
  const authority = certify(
    x509,
    { commonName: `${name} ${number}`.slice(-64) },
    'authority',
    validity,
  );
  const pair = certify(x509, { commonName: name.slice(0, 64) }, { hosts }, validity, authority);
  return { ...pair, authority: authority.certificate };
}

/** Whether somebody who trusts the authority takes it for all of the hosts. */
export function isUsable(generation: Generation, hosts: readonly string[], now: Date): boolean {
  if (whyUseless(generation) !== undefined) return false;
  const { from, to } = validityOf(generation.certificate);
  const time = now.getTime();
  return from <= time && time < to && serves(generation.certificate, hosts);
}

/** Two thirds of its time are over. */
export function isOld({ certificate }: KeyPair, now: Date): boolean {
  const { from, to } = validityOf(certificate);
  return now.getTime() >= from + ((to - from) * 2) / 3;
}

/** By which certificates are told apart in logs. */
export function fingerprintOf(certificate: string): string {
  return createHash('sha256').update(certificate).digest('hex').slice(0, 16);
}
