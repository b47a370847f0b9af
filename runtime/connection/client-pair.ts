import { createSecureContext } from 'node:tls';
import type { TlsMaterial } from './connection.ts';
import type { FileCache, TextOrFile } from './files.ts';

type Pair = Pick<TlsMaterial, 'cert' | 'key'>;

/** Where the certificate of a client is, and its key. */
export interface ClientPairProps {
  readonly cert?: TextOrFile | undefined;
  readonly key?: TextOrFile | undefined;
}

/**
 * The certificate of a client, with its key. Two files are not written at one moment: a pair that does not
 * fit is read once more, and while it does not, the one before it is taken.
 */
export class ClientPair {
  readonly #files: FileCache;
  #good: Pair | undefined;

  constructor(files: FileCache) {
    this.#files = files;
  }

  /** Where there never was a pair that fits, it is as it stands, and TLS says what is wrong with it. */
  async read(props: ClientPairProps, isNew: boolean): Promise<Pair> {
    const first = await this.#read(props, isNew);
    if (this.#fits(first)) return first;
    const second = await this.#read(props, true);
    return this.#fits(second) ? second : (this.#good ?? second);
  }

  async #read({ cert, key }: ClientPairProps, isNew: boolean): Promise<Pair> {
    return {
      ...(cert !== undefined && { cert: await this.#files.read(cert, isNew) }),
      ...(key !== undefined && { key: await this.#files.read(key, isNew) }),
    };
  }

  #fits(pair: Pair): boolean {
    const { cert, key } = pair;
    if (cert === undefined || key === undefined) return true;
    if (cert === this.#good?.cert && key === this.#good.key) return true;
    try {
      createSecureContext({ cert, key });
    } catch {
      return false;
    }
    this.#good = pair;
    return true;
  }
}
