import type { IssuedKeyPair } from './key-pair.ts';
import { isCertificate } from './key-pair.ts';

/** The certificates that all replicas share. */
export interface RotationState {
  /** What is served with. */
  readonly current: IssuedKeyPair;
  /** What will be served with once its authority is trusted. */
  readonly next?: IssuedKeyPair | undefined;
  /** The authority of what was served with before, PEM; some may serve with it still. */
  readonly previous?: string | undefined;
}

/** What is known beside the certificates when a step is decided. */
export interface RotationFacts {
  /** Whether a generation serves all hosts, now. */
  isUsable(generation: IssuedKeyPair): boolean;
  /** Whether it should be replaced while it is still good. */
  isDue(generation: IssuedKeyPair): boolean;
  /** Every API server has known the authority of `next` for long enough. */
  readonly isNextTrusted: boolean;
  /** Every replica has served with `current` for long enough. */
  readonly isPreviousUnused: boolean;
  make(): IssuedKeyPair;
}

/** A step of a rotation, in the order in which they come. */
export type RotationStep = 'begun' | 'announced' | 'switched' | 'ended';

/**
 * The next step, or undefined where nothing is to be done. Whatever is served with is signed by an
 * authority that was trusted before: a new one is announced beside the old one, then served with, then
 * the old one goes. Only where nothing that is there can be served with, a new one is served at once.
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

/** What API servers must trust: every authority of which a certificate may be served now or next; PEM. */
export function buildCaBundle({ current, next, previous }: RotationState): string {
  const authorities = [current.authority, next?.authority, previous].filter(
    (one) => one !== undefined,
  );
  // What is no certificate, as in a Secret that somebody wrote into, the API server would refuse.
  const all = authorities.filter(isCertificate);
  return [...new Set(all.map((one) => `${one.trim()}\n`))].join('');
}
