import { readFile } from 'node:fs/promises';
import { systemClock, type Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';
import {
  getErrorMessage,
  parseValidity,
  validateKeyPair,
  ServingCertificate,
  type KeyPair,
  type CertificateSource,
} from './key-pair.ts';

/** The files, and how often they are read. */
export interface CertificateFilesProps {
  /** The path of the certificate in PEM, followed by those between it and the authority. */
  readonly certificate: string;
  /** The path of its private key, PEM. */
  readonly key: string;
  readonly log: Log;
  /** Milliseconds between two reads. @default 10,000 */
  readonly interval?: number | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * A certificate in files that another program maintains, such as the kubelet for a Secret. The files are read
 * periodically and compared by content, because the kubelet swaps symbolic links. A pair that does not match, for
 * example because it is being written, is ignored: the previous one stays in use, and each cause is logged once.
 * Missing files are waited for.
 *
 * @example
 * ```ts
 * import { CertificateFiles, jsonLog, systemClock } from '@tenantry/runtime';
 *
 * export const certificates = new CertificateFiles({
 *   certificate: '/var/run/certificates/tls.crt',
 *   key: '/var/run/certificates/tls.key',
 *   log: jsonLog({ clock: systemClock }),
 * });
 * console.log(certificates.current); // undefined
 * ```
 */
export class CertificateFiles implements CertificateSource {
  readonly #props: CertificateFilesProps;
  readonly #clock: Clock;
  readonly #serving = new ServingCertificate();
  #lastProblem: string | undefined;

  constructor(props: CertificateFilesProps) {
    this.#props = props;
    this.#clock = props.clock ?? systemClock;
  }

  get current(): KeyPair | undefined {
    return this.#serving.current;
  }

  onChange(listener: (pair: KeyPair) => void): () => void {
    return this.#serving.onChange(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { interval = 10_000 } = this.#props;
    while (!signal.aborted) {
      await this.#reload();
      await this.#clock.sleep(interval, signal).catch(() => {});
    }
  }

  async #reload(): Promise<void> {
    const { certificate, key, log } = this.#props;
    const fields = { certificate, key };
    let pair: KeyPair;
    try {
      const read = (path: string): Promise<string> => readFile(path, 'utf8');
      pair = { certificate: await read(certificate), key: await read(key) };
    } catch (error) {
      this.#logOnce(getErrorMessage(error));
      return;
    }
    const why = validateKeyPair(pair);
    if (why !== undefined) return this.#logOnce(why);
    this.#lastProblem = undefined;
    if (!this.#serving.set(pair)) return;
    const until = new Date(parseValidity(pair.certificate).to);
    const sentence = 'serving with the certificate of the files';
    log.info(sentence, { ...fields, until: until.toISOString() });
    if (until <= this.#clock.date()) log.error('the certificate of the files has expired', fields);
  }

  #logOnce(why: string): void {
    if (why === this.#lastProblem) return;
    this.#lastProblem = why;
    const { certificate, key, log } = this.#props;
    const sentence = this.current
      ? 'the certificate of the files is unusable; still serving with the previous one'
      : 'waiting for the files of a serving certificate';
    log.error(sentence, { certificate, key, why });
  }
}
