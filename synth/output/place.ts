import { lstatSync, mkdirSync, realpathSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The folder cannot hold an output, or is not to be believed. Nothing was touched. */
export class UnusableOutput extends Error {
  override readonly name = 'UnusableOutput';
}

/** Where an output and its staging area are. */
export interface Place {
  /** The real path of the output folder, absolute. */
  readonly output: string;
  readonly exists: boolean;
  /** The folder that holds the lock, the staged tree and the journal of a swap. */
  readonly area: string;
  readonly tree: string;
  readonly journal: string;
}

/**
 * Finds an output folder; writes nothing. The staging area is beside it, so that renames stay on
 * one file system; when the output is a mount point, it is inside.
 * Throws `UnusableOutput` when the path is a file, a link to nothing, or the root of a file system tree.
 */
export function placeOf(directory: string): Place {
  const wanted = resolve(directory);
  const found = statSync(wanted, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) {
    throw new UnusableOutput(`the output ${wanted} must be a folder, got a file`);
  }
  if (found === undefined && lstatSync(wanted, { throwIfNoEntry: false }) !== undefined) {
    throw new UnusableOutput(
      `the output ${wanted} must be a folder, got a symbolic link to nothing`,
    );
  }
  const output = realPathOf(wanted);
  const parent = dirname(output);
  if (parent === output)
    throw new UnusableOutput(`the output must be a folder of its own, got ${output}`);
  const inside = found !== undefined && found.dev !== statSync(parent).dev;
  const area = join(inside ? output : parent, `.${basename(output)}.tenantry`);
  return {
    output,
    exists: found !== undefined,
    area,
    tree: join(area, 'tree'),
    journal: join(area, 'journal'),
  };
}

/** Makes the folders above an output; returns how to remove those that are still empty. */
export function makeParents(place: Place): () => void {
  const parent = dirname(place.output);
  const first = mkdirSync(parent, { recursive: true });
  return () => {
    if (first === undefined) return;
    try {
      for (let folder = parent; folder.length >= first.length; folder = dirname(folder)) {
        rmdirSync(folder);
      }
    } catch {
      // Somebody uses the folder by now: it stays.
    }
  };
}

function realPathOf(path: string): string {
  const above = dirname(path);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || above === path) {
    return realpathSync(path);
  }
  return join(realPathOf(above), basename(path));
}
