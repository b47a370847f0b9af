import { createSecureContext } from 'node:tls';
import type { TlsMaterial } from './connection.ts';
import type { FileCache, TextOrFile } from './files.ts';

type Pair = Pick<TlsMaterial, 'cert' | 'key'>;

/** The locations of a client's certificate and its key. */
export interface ClientPairProps {
  readonly cert?: TextOrFile | undefined;
  readonly key?: TextOrFile | undefined;
}

/**
 * A client's certificate with its key. Two files are not written at once, so a pair that does not match is read again.
 * Until it matches, the previous pair is used.
 */
export class ClientPair {
  readonly #files: FileCache;
  #good: Pair | undefined;

  constructor(files: FileCache) {
    this.#files = files;
  }

  /** If there never was a matching pair, it is used as it is, and TLS reports the error. */
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
