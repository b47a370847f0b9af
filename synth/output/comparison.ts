import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { Folders } from './folders.ts';
import { folderOf } from './paths.ts';
import { contentHash, entryOf, matches, type StatEntry, type StatIndex } from './stat-index.ts';

/** How a file of the output stands to what is on disk at its path. */
export type FileState = 'same' | 'absent' | 'other' | 'folder';

/** What an output folder holds, looked at once; below the root no symbolic link is followed. */
export class DiskComparison {
  readonly folders: Folders;
  /** The entries of the files that were found to be the same, where they may be trusted. */
  readonly entries = new Map<string, StatEntry>();
  readonly #root: string;
  readonly #index: StatIndex;
  readonly #opened = Date.now();

  constructor(root: string, exists: boolean, index: StatIndex) {
    this.#root = root;
    this.#index = index;
    this.folders = new Folders(root, exists);
  }

  /**
   * Compares by the stat index; where that says nothing, by content.
   * @param size In bytes, where known: then most files that differ are not read.
   * Throws `UnsafePath` for a path behind a symbolic link.
   */
  compare(path: string, hash: string, size: () => number | undefined): FileState {
    const entry = this.#index.get(path);
    if (entry?.hash === hash && this.#isAsIndexed(path, entry)) {
      this.entries.set(path, entry);
      return 'same';
    }
    const stat = this.#stat(path);
    if (stat === undefined) return 'absent';
    if (!stat.isFile()) return stat.isDirectory() ? 'folder' : 'other';
    if (entry !== undefined && matches(entry, stat)) return entry.hash === hash ? 'same' : 'other';
    const wanted = size();
    if (wanted !== undefined && wanted !== stat.size) return 'other';
    if (wanted === 0) return 'same';
    if (contentHash(readFileSync(`${this.#root}/${path}`)) !== hash) return 'other';
    const fresh = entryOf(hash, stat, this.#opened);
    if (fresh !== undefined) this.entries.set(path, fresh);
    return 'same';
  }

  /** Whether a file (or a link, but no folder) is at the path. Throws `UnsafePath` behind a link. */
  holdsFile(path: string): boolean {
    const stat = this.#stat(path);
    return stat !== undefined && !stat.isDirectory();
  }

  /** The folders above need no look: a file of that inode and those times is the very same one. */
  #isAsIndexed(path: string, entry: StatEntry): boolean {
    if (this.folders.state('', path) !== 'folder') return false;
    try {
      const stat = lstatSync(`${this.#root}/${path}`, { throwIfNoEntry: false });
      return stat?.isFile() === true && matches(entry, stat);
    } catch {
      return false; // a file stands where a folder was: the folders are looked at next
    }
  }

  #stat(path: string): Stats | undefined {
    if (this.folders.state(folderOf(path), path) !== 'folder') return undefined;
    return lstatSync(`${this.#root}/${path}`, { throwIfNoEntry: false });
  }
}
