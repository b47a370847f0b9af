import { lstatSync, type Stats } from 'node:fs';
import { entryOf, matches, type StatEntry, type StatIndex } from '../output/stat-index.ts';

/** Hashes of input files that need not be read again, since their stats are those of an earlier run. */
export class Inputs {
  /** What is to be known in the next run: what was asked for or noted in this one. */
  readonly entries = new Map<string, StatEntry>();
  readonly #known: StatIndex;
  readonly #began = Date.now();
  /** Of files that are not known, from before they are read. */
  readonly #stats = new Map<string, Stats>();

  constructor(known: StatIndex) {
    this.#known = known;
  }

  /** The hash that was noted of a file, where it is the very same by its stat; undefined: read it. */
  hashOf(file: string): string | undefined {
    const stat = statOf(file);
    if (!stat?.isFile()) return undefined;
    const entry = this.#known.get(file);
    if (entry && matches(entry, stat)) {
      this.entries.set(file, entry);
      return entry.hash;
    }
    this.#stats.set(file, stat);
    return undefined;
  }

  /**
   * Has the next run know the hash of a file that was read after `hashOf` was asked. One that changed
   * shortly before is left out: a change right after it could have the same stat.
   */
  note(file: string, hash: string): void {
    const stat = this.#stats.get(file);
    const entry = stat && entryOf(hash, stat, this.#began);
    if (entry) this.entries.set(file, entry);
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // whoever reads it tells why
  }
}
