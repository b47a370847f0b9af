import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';

/**
 * A certificate with its private key, in PEM. The certificates between it and an authority follow it, if there are any.
 */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** A serving certificate, its key, and the authority that signed it; PEM. */
export interface IssuedKeyPair extends KeyPair {
  readonly authority: string;
}

/** Returns why a server cannot use a pair; undefined if it can. */
export function validateKeyPair({ certificate, key }: KeyPair): string | undefined {
  let read: X509Certificate;
  try {
    read = new X509Certificate(certificate);
  } catch (error) {
    return `the certificate must be PEM, got an error: ${getErrorMessage(error)}`;
  }
  try {
    if (!read.checkPrivateKey(createPrivateKey(key))) {
      return 'the key must be the one of the certificate, got another';
    }
  } catch (error) {
    return `the key must be PEM, got an error: ${getErrorMessage(error)}`;
  }
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    return `each certificate of the chain must be PEM, got an error: ${getErrorMessage(error)}`;
  }
  return undefined;
}

/** Returns the validity of a certificate, in milliseconds since 1970. */
export function parseValidity(certificate: string): { readonly from: number; readonly to: number } {
  const { validFrom, validTo } = new X509Certificate(certificate);
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
}

export function coversHosts(certificate: string, hosts: readonly string[]): boolean {
  const read = new X509Certificate(certificate);
  return hosts.every((host) => coversHost(read, host));
}

function coversHost(certificate: X509Certificate, host: string): boolean {
  const found = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host);
  return found !== undefined;
}

export function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

/** Returns the names and addresses of a certificate that this package issued. */
export function parseHosts(certificate: string): string[] {
  const { subjectAltName = '' } = new X509Certificate(certificate);
  return subjectAltName.split(', ').map((one) => one.replace(/^(DNS|IP Address):/, ''));
}

export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The certificate that a server uses. It may change while the server runs. */
export interface CertificateSource {
  /** Undefined until there is one. */
  readonly current: KeyPair | undefined;
  /** Calls back with each new pair, until the returned function is called. */
  onChange(listener: (pair: KeyPair) => void): () => void;
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

  onChange(listener: (pair: KeyPair) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sets the pair and notifies listeners if it is a new one. Returns whether it is. */
  set({ certificate, key }: KeyPair): boolean {
    if (certificate === this.#current?.certificate && key === this.#current.key) return false;
    this.#current = { certificate, key };
    for (const listener of this.#listeners) listener(this.#current);
    return true;
  }
}
