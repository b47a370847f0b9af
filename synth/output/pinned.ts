import { lstatSync } from 'node:fs';
import { UnusableOutput } from './place.ts';

/**
 * A folder identified by device and inode, so that a replacement is detected. Node cannot open a
 * file relative to an open folder (openat), so a replacement between a check and the next call goes
 * unnoticed. That requires write access to the folder above the output during a run; a commit
 * cannot do it.
 */
export class Pinned {
  readonly #path: string;
  readonly #found: string | undefined;

  /** Throws the error of the file system when the folder does not exist. */
  constructor(path: string) {
    this.#path = path;
    this.#found = identityOf(path);
  }

  /** Throws `UnusableOutput` when the folder was removed, or replaced by another folder or a link. */
  check(): void {
    if (this.#found !== undefined && identityOf(this.#path) === this.#found) return;
    throw new UnusableOutput(
      `${this.#path} must stay the folder that it was when the run began, got something else in its place; nothing was written there`,
    );
  }
}

/** Returns undefined if the path is no folder. Inodes need all their 64 bits. */
function identityOf(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat?.isDirectory() === true ? `${stat.dev} ${stat.ino}` : undefined;
}
