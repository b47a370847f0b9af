import { lstatSync } from 'node:fs';
import { folderOf, foldersAbove } from './paths.ts';

/** What stands on disk where a folder of the output would be. */
export type FolderState = 'missing' | 'folder' | 'file';

/** Files of the output that could only be reached through a symbolic link. Nothing was touched. */
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
 * The folders of an output as they are on disk, each looked at once. A symbolic link is never
 * followed below the root, so that no path can lead out of the output.
 */
export class Folders {
  readonly #root: string;
  readonly #exists: boolean;
  readonly #states = new Map<string, FolderState | 'link'>([['', 'folder']]);

  /** @param exists Whether the root is there; when not, nothing is looked up at all. */
  constructor(root: string, exists: boolean) {
    this.#root = root;
    this.#exists = exists;
  }

  /** The state of a folder; `path` is what it is asked for. Throws `UnsafePath` behind a link. */
  state(folder: string, path: string): FolderState {
    const state = this.#lookUp(folder);
    if (state === 'link') throw new UnsafePath(this.#root, [path]);
    return state;
  }

  isBehindLink(path: string): boolean {
    return this.#lookUp(folderOf(path)) === 'link';
  }

  /** The file that stands where a path needs a folder, if one does. */
  fileInTheWay(path: string): string | undefined {
    for (const folder of foldersAbove(path)) {
      if (this.#lookUp(folder) === 'file' && this.#lookUp(folderOf(folder)) === 'folder') {
        return folder;
      }
    }
    return undefined;
  }

  /** The path itself, or the topmost of its folders that is not there: what one rename brings. */
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
