import { isCertificate, type IssuedKeyPair } from './key-pair.ts';
import type { Live } from '../kinds/kind.ts';
import type { Secret } from '../kinds/core.ts';

/** The certificates that all replicas share. */
export interface RotationState {
  readonly current: IssuedKeyPair;
  /** The certificate that follows once its authority is trusted. */
  readonly next?: IssuedKeyPair | undefined;
  /** The authority of the previous certificate, PEM, which some replicas may still use. */
  readonly previous?: string | undefined;
}

/** The facts besides the certificates that decide the next step. */
export interface RotationFacts {
  /** Whether a certificate is valid for all hosts now. */
  isUsable(generation: IssuedKeyPair): boolean;
  /** Whether a certificate should be replaced although it is still valid. */
  isDue(generation: IssuedKeyPair): boolean;
  /** Whether every API server has known the authority of `next` for long enough. */
  readonly isNextTrusted: boolean;
  /** Whether every replica has used `current` for long enough. */
  readonly isPreviousUnused: boolean;
  make(): IssuedKeyPair;
}

/** A step of a rotation, in order. */
export type RotationStep = 'begun' | 'announced' | 'switched' | 'ended';

/**
 * Returns the next step, or undefined if there is none. A certificate is used only after its authority is trusted. The
 * new authority is announced beside the old one, then its certificate is used, then the old authority is removed. Only
 * if no existing certificate is usable, a new one is used at once.
 */
export function computeNextStep(
  certificates: RotationState | undefined,
  facts: RotationFacts,
): { readonly step: RotationStep; readonly certificates: RotationState } | undefined {
  if (!certificates || !facts.isUsable(certificates.current)) {
    const next = certificates?.next;
    const current = next && facts.isUsable(next) ? next : facts.make();
    const previous = certificates?.current.authority;
    return { step: 'begun', certificates: { current, previous } };
  }
  const { current, next, previous } = certificates;
  if (next) {
    if (!facts.isUsable(next)) {
      return { step: 'announced', certificates: { current, next: facts.make(), previous } };
    }
    if (!facts.isNextTrusted) return undefined;
    const switched = { current: next, previous: current.authority };
    return { step: 'switched', certificates: switched };
  }
  if (previous !== undefined) {
    return facts.isPreviousUnused ? { step: 'ended', certificates: { current } } : undefined;
  }
  if (!facts.isDue(current)) return undefined;
  return { step: 'announced', certificates: { current, next: facts.make() } };
}

/** Returns the authorities that API servers must trust: all whose certificates may be used now or next; PEM. */
export function buildCaBundle({ current, next, previous }: RotationState): string {
  const authorities = [current.authority, next?.authority, previous].filter(
    (one) => one !== undefined,
  );
  // Drops invalid certificates, for example in an edited Secret, because the API server would refuse them.
  const all = authorities.filter(isCertificate);
  return [...new Set(all.map((one) => `${one.trim()}\n`))].join('');
}

/** The name of a Secret. */
export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** The keys of the Secret. The first three are those of cert-manager, so that other programs can read it. */
const keys = {
  certificate: 'tls.crt',
  key: 'tls.key',
  authority: 'ca.crt',
  nextCertificate: 'next-tls.crt',
  nextKey: 'next-tls.key',
  nextAuthority: 'next-ca.crt',
  previousAuthority: 'previous-ca.crt',
} as const;

/** Parses the content of a Secret; undefined if it contains no certificates yet. */
export function parseRotationState(secret: Live<typeof Secret>): RotationState | undefined {
  const text = (name: keyof typeof keys): string | undefined => {
    const value = secret.data?.[keys[name]];
    return value ? Buffer.from(value, 'base64').toString('utf8') : undefined;
  };
  const generation = (
    certificate: string | undefined,
    key: string | undefined,
    authority: string | undefined,
  ) => (certificate && key && authority ? { certificate, key, authority } : undefined);
  const current = generation(text('certificate'), text('key'), text('authority'));
  if (!current) return undefined;
  const next = generation(text('nextCertificate'), text('nextKey'), text('nextAuthority'));
  return { current, next, previous: text('previousAuthority') };
}

export function buildSecretData(
  { current, next, previous }: RotationState,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const ours: ReadonlySet<string> = new Set(Object.values(keys));
  const others = Object.entries(before).filter(([name]) => !ours.has(name));
  const texts: Readonly<Record<keyof typeof keys, string | undefined>> = {
    certificate: current.certificate,
    key: current.key,
    authority: current.authority,
    nextCertificate: next?.certificate,
    nextKey: next?.key,
    nextAuthority: next?.authority,
    previousAuthority: previous,
  };
  const own = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined
      ? []
      : [[keys[name as keyof typeof keys], Buffer.from(text).toString('base64')] as const],
  );
  return Object.fromEntries([...others, ...own]);
}
