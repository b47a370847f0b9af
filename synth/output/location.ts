import { lstatSync, mkdirSync, realpathSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Reports that the folder cannot hold an output, or cannot be trusted. Nothing was changed. */
export class UnusableOutput extends Error {
  override readonly name = 'UnusableOutput';
}

/** Where an output and its staging area are. */
export interface OutputLocation {
  /** The path of the output folder, absolute and without symbolic links. */
  readonly output: string;
  readonly exists: boolean;
  /** The folder that holds the lock and the staged files of a writer. */
  readonly area: string;
}

/**
 * Finds an output folder; writes nothing. The staging area is beside it, so that renames stay on
 * one file system. If the output is a mount point, the area is inside.
 *
 * Links on the way to the output are followed, since the user chose them. A link in the place of
 * the output itself is not: a commit could add it and redirect the writes. Throws `UnusableOutput`
 * when the path is a file, a link, or the root of a file system tree, and when the place of the
 * staging area is not a folder.
 */
export function resolveOutputLocation(directory: string): OutputLocation {
  const wanted = resolve(directory);
  const found = realFolder(
    wanted,
    `the output ${wanted}`,
    'give the path that it leads to instead',
  );
  const output = join(resolveRealPath(dirname(wanted)), basename(wanted));
  const parent = dirname(output);
  if (parent === output)
    throw new UnusableOutput(`the output must be a folder of its own, got ${output}`);
  const inside = found !== undefined && found.dev !== statSync(parent).dev;
  const area = join(inside ? output : parent, `.${basename(output)}.tenantry`);
  realFolder(area, `the staging area ${area}`, 'remove it');
  return { output, exists: found !== undefined, area };
}

/** Returns the stat of a folder; undefined when nothing exists. Throws `UnusableOutput` for anything else. */
function realFolder(path: string, what: string, advice: string) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return found;
  const got = found.isSymbolicLink() ? `a symbolic link: ${advice}` : 'a file';
  throw new UnusableOutput(`${what} must be a folder, got ${got}`);
}

/** Creates the parent folders of an output. Returns a function that removes those that are still empty. */
export function makeParents(place: OutputLocation): () => void {
  const parent = dirname(place.output);
  const first = mkdirSync(parent, { recursive: true });
  return () => {
    if (first === undefined) return;
    try {
      for (let folder = parent; folder.length >= first.length; folder = dirname(folder)) {
        rmdirSync(folder);
      }
    } catch {
      // The folder is in use by now, so it is kept.
    }
  };
}

function resolveRealPath(path: string): string {
  const above = dirname(path);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || above === path) {
    return realpathSync(path);
  }
  return join(resolveRealPath(above), basename(path));
}

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
    this.#found = readIdentity(path);
  }

  /** Throws `UnusableOutput` when the folder was removed, or replaced by another folder or a link. */
  check(): void {
    if (this.#found !== undefined && readIdentity(this.#path) === this.#found) return;
    throw new UnusableOutput(
      `${this.#path} must stay the folder that it was when the run began, got something else in its place; nothing was written there`,
    );
  }
}

/** Returns undefined if the path is no folder. Inodes need all their 64 bits. */
function readIdentity(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat?.isDirectory() === true ? `${stat.dev} ${stat.ino}` : undefined;
}
