import { lstatSync, type Stats } from 'node:fs';
import { entryOf, matches, type StatEntry, type StatIndex } from '../output/stat-index.ts';

/** The hashes of input files that are unchanged since an earlier run, according to their stats. */
export class Inputs {
  /** The entries for the next run: all that were used or recorded in this one. */
  readonly entries = new Map<string, StatEntry>();
  readonly #known: StatIndex;
  readonly #began = Date.now();
  /** The stats of unknown files, from before they are read. */
  readonly #stats = new Map<string, Stats>();

  constructor(known: StatIndex) {
    this.#known = known;
  }

  /** Returns the recorded hash of a file if its stat is unchanged; undefined if it must be read. */
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
   * Records the hash of a file that was read after a call of `hashOf`. A file that changed shortly
   * before is skipped, because another change right after it could have the same stat.
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
    return undefined; // the code that reads the file reports the error
  }
}
