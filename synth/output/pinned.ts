import { lstatSync } from 'node:fs';
import { UnusableOutput } from './place.ts';

/**
 * A folder as it was found, by its device and inode: what is put in its place later is not taken
 * for it. Node cannot open a file relative to an open folder (openat), so what is replaced in the
 * moment between a look and the call after it goes unseen. Whoever can do that can write to the
 * folder above the output while a run is under way; no commit can.
 */
export class Pinned {
  readonly #path: string;
  readonly #found: string | undefined;

  /** Throws the error of the file system when there is nothing. */
  constructor(path: string) {
    this.#path = path;
    this.#found = identityOf(path);
  }

  /** Throws `UnusableOutput` when another folder, a link or nothing is there by now. */
  check(): void {
    if (this.#found !== undefined && identityOf(this.#path) === this.#found) return;
    throw new UnusableOutput(
      `${this.#path} must stay the folder that it was when the run began, got something else in its place; nothing was written there`,
    );
  }
}

/** Undefined for what is no folder. Inodes need all their 64 bits. */
function identityOf(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat?.isDirectory() === true ? `${stat.dev} ${stat.ino}` : undefined;
}
