import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { cacheFile } from '../../../synth/run.ts';
import { readOwnManifest } from '../../own-manifest.ts';

/** Changes with what is recorded, and with the code that computes it between two versions of Tenantry. */
const FORMAT = 'tenantry access 1';

/** The first line of the file. Another version of Tenantry may evaluate the same content differently. */
const identity = (): string => `${FORMAT} ${readOwnManifest()?.version ?? ''}`;

/** The size of a cache file, in characters, from which on it begins again. */
const MAX_SIZE = 256 * 2 ** 20;

/**
 * Remembers what was computed from immutable content of Git, by its hash. Losing it costs time. A file that cannot be read
 * or has another format counts as empty. Without a folder nothing is remembered between runs.
 */
export class RecordCache {
  readonly #file: string | undefined;
  /** Records as JSON. Most of them are not needed in a run. */
  readonly #records: Map<string, string>;
  #isChanged = false;

  /** @param folder the cache folder; undefined for none */
  constructor(folder: string | undefined, out: string) {
    this.#file = folder === undefined ? undefined : `${cacheFile(folder, out)}.access`;
    this.#records = this.#file === undefined ? new Map() : load(this.#file);
  }

  get<T>(key: string): T | undefined {
    const text = this.#records.get(key);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as T;
    } catch {
      // The file was written only in part.
      return undefined;
    }
  }

  /** @param key without a space or a line break, such as the hash of a commit */
  set(key: string, record: unknown): void {
    this.#records.set(key, JSON.stringify(record));
    this.#isChanged = true;
  }

  /** Writes what this run added. A failed write is no error. */
  save(): void {
    if (!this.#isChanged || this.#file === undefined) return;
    const lines = Array.from(this.#records, ([key, record]) => `${key} ${record}`);
    const text = [identity(), ...lines].join('\n');
    if (text.length > MAX_SIZE) return;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      const draft = `${this.#file}.${process.pid}`;
      writeFileSync(draft, text);
      renameSync(draft, this.#file);
    } catch {
      // The next run computes everything again.
    }
  }
}

function load(file: string): Map<string, string> {
  try {
    const [format, ...lines] = readFileSync(file, 'utf8').split('\n');
    if (format !== identity()) return new Map();
    return new Map(
      lines.map((line) => {
        const space = line.indexOf(' ');
        return [line.slice(0, space), line.slice(space + 1)] as const;
      }),
    );
  } catch {
    return new Map();
  }
}
