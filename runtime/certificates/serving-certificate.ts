import type { KeyPair } from './key-pair.ts';

/** The certificate that a server uses. It may change while the server runs. */
export interface CertificateSource {
  /** Undefined until there is one. */
  readonly current: KeyPair | undefined;
  /** Calls back with each new pair, until the returned function is called. */
  onChange(tell: (pair: KeyPair) => void): () => void;
  /** Keeps the certificate up to date until the signal aborts; then resolves. */
  run(signal: AbortSignal): Promise<void>;
}

/** Holds the newest certificate, and notifies listeners. */
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

  /** Sets the pair and notifies listeners if it is a new one. Returns whether it is. */
  set({ certificate, key }: KeyPair): boolean {
    if (certificate === this.#current?.certificate && key === this.#current.key) return false;
    this.#current = { certificate, key };
    for (const tell of this.#listeners) tell(this.#current);
    return true;
  }
}
