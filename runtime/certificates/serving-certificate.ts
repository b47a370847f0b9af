import type { KeyPair } from './key-pair.ts';

/** The certificate that a server serves with, which changes while it serves. */
export interface CertificateSource {
  /** Undefined until there is one. */
  readonly current: KeyPair | undefined;
  /** Tells of every other one from now on, until what it returns is called. */
  onChange(tell: (pair: KeyPair) => void): () => void;
  /** Keeps it up to date until the signal aborts; then it resolves. */
  run(signal: AbortSignal): Promise<void>;
}

/** Holds the newest certificate, and tells who listens. */
export class ServingCertificate {
  #current: KeyPair | undefined;
  readonly #listeners = new Set<(pair: KeyPair) => void>();

  get current(): KeyPair | undefined {
    return this.#current;
  }

  onChange(tell: (pair: KeyPair) => void): () => void {
    this.#listeners.add(tell);
    return () => void this.#listeners.delete(tell);
  }

  /** Nobody is told of what they know. Returns whether it is another one. */
  set({ certificate, key }: KeyPair): boolean {
    if (certificate === this.#current?.certificate && key === this.#current.key) return false;
    this.#current = { certificate, key };
    for (const tell of this.#listeners) tell(this.#current);
    return true;
  }
}
