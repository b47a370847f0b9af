import { lstatSync } from 'node:fs';
import { folderOf, foldersAbove } from './paths.ts';

/** What is on disk in the place of a folder of the output. */
type FolderState = 'missing' | 'folder' | 'file';

/** Reports files of the output that are behind a symbolic link. Nothing was changed. */
export class UnsafePath extends Error {
  override readonly name = 'UnsafePath';
  readonly paths: readonly string[];

  constructor(output: string, paths: readonly string[]) {
    super(
      `${output}: every folder of an output must be a real folder, got a symbolic link on the way to ${paths.join(', ')}; remove the link`,
    );
    this.paths = paths;
  }
}

/**
 * The folders of an output on disk, each read once. No symbolic link below the root is followed, so
 * no path can leave the output.
 */
export class Folders {
  readonly #root: string;
  readonly #exists: boolean;
  readonly #states = new Map<string, FolderState | 'link'>([['', 'folder']]);

  /** @param exists Whether the root exists; if not, nothing is read */
  constructor(root: string, exists: boolean) {
    this.#root = root;
    this.#exists = exists;
  }

  /** Returns the state of a folder on the way to `path`. Throws `UnsafePath` behind a link. */
  state(folder: string, path: string): FolderState {
    const state = this.#lookUp(folder);
    if (state === 'link') throw new UnsafePath(this.#root, [path]);
    return state;
  }

  isBehindLink(path: string): boolean {
    return this.#lookUp(folderOf(path)) === 'link';
  }

  /** Returns the file in the place of a parent folder of a path, if there is one. */
  fileInTheWay(path: string): string | undefined {
    for (const folder of foldersAbove(path)) {
      if (this.#lookUp(folder) === 'file' && this.#lookUp(folderOf(folder)) === 'folder') {
        return folder;
      }
    }
    return undefined;
  }

  /** Returns the topmost missing folder of a path, or the path itself: the target of a single rename. */
  topmostMissing(path: string): string {
    let top = path;
    for (const folder of foldersAbove(path)) {
      if (this.#lookUp(folder) === 'folder') break;
      top = folder;
    }
    return top;
  }

  #lookUp(folder: string): FolderState | 'link' {
    if (!this.#exists) return 'missing';
    const known = this.#states.get(folder);
    if (known !== undefined) return known;
    const above = this.#lookUp(folderOf(folder));
    const state = above === 'folder' ? this.#onDisk(folder) : above;
    this.#states.set(folder, state);
    return state;
  }

  #onDisk(folder: string): FolderState | 'link' {
    const stat = lstatSync(`${this.#root}/${folder}`, { throwIfNoEntry: false });
    if (stat === undefined) return 'missing';
    if (stat.isDirectory()) return 'folder';
    return stat.isSymbolicLink() ? 'link' : 'file';
  }
}
