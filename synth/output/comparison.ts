import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { Folders } from './folders.ts';
import { folderOf } from './paths.ts';
import { contentHash, buildEntry, matches, type StatEntry, type StatIndex } from './stat-index.ts';

/** The state of an output file on disk. */
export type FileState = 'same' | 'absent' | 'other' | 'folder';

/** The content of an output folder, read once. No symbolic link below the root is followed. */
export class DiskComparison {
  readonly folders: Folders;
  /** The entries of unchanged files whose stats can be trusted. */
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
   * Compares a file by the stat index, or by content if the index has no answer. Throws
   * `UnsafePath` for a path behind a symbolic link.
   * @param size returns the size in bytes if known; then most files that differ are not read
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
    const fresh = buildEntry(hash, stat, this.#opened);
    if (fresh !== undefined) this.entries.set(path, fresh);
    return 'same';
  }

  /** Whether the path is a file or a link, but no folder. Throws `UnsafePath` behind a link. */
  holdsFile(path: string): boolean {
    const stat = this.#stat(path);
    return stat !== undefined && !stat.isDirectory();
  }

  /**
   * Whether the file has the indexed stat. Its parent folders need no check: the same inode and
   * times mean the same file.
   */
  #isAsIndexed(path: string, entry: StatEntry): boolean {
    if (this.folders.state('', path) !== 'folder') return false;
    try {
      const stat = lstatSync(`${this.#root}/${path}`, { throwIfNoEntry: false });
      return stat?.isFile() === true && matches(entry, stat);
    } catch {
      return false; // a parent folder was replaced by a file; the folders are checked next
    }
  }

  #stat(path: string): Stats | undefined {
    if (this.folders.state(folderOf(path), path) !== 'folder') return undefined;
    return lstatSync(`${this.#root}/${path}`, { throwIfNoEntry: false });
  }
}
