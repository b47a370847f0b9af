import { accessSync, constants, copyFileSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { renameSync, rmdirSync, rmSync, unlinkSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { Folders, UnsafePath } from './folders.ts';
import type { SwapStep } from './journal.ts';
import { folderOf, foldersAbove } from './paths.ts';
import type { Place } from './place.ts';

/** Points of a write at which a test may stop the world; `done` is one step of a swap. */
export type Moment = 'locked' | 'staged' | 'journal' | 'done' | 'swapped' | 'dropped';

/** A swap stopped half way. The journal is kept: the next `Output.open` for writing completes it. */
export class SwapInterrupted extends Error {
  override readonly name = 'SwapInterrupted';

  constructor(output: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `${output} must be writable while an output is swapped in, got ${reason}; mend it and synthesize again, which completes the swap`,
      { cause },
    );
  }
}

/** Throws before a swap that could not be carried out: a folder is not writable, or is a link. */
export function checkSwap(place: Place, steps: readonly SwapStep[]): void {
  checkLinks(place, steps);
  const folders = new Folders(place.output, true);
  for (const folder of new Set(steps.map(({ path }) => folderOf(path)))) {
    if (folders.state(folder, folder) === 'folder') {
      accessSync(join(place.output, folder), constants.W_OK | constants.X_OK);
    }
  }
}

/**
 * Carries out the steps of a swap, from the journal or not, in their order; then drops the journal
 * and what is left of the staged tree. Throws `SwapInterrupted`, the journal being kept.
 */
export function swap(
  place: Place,
  steps: readonly SwapStep[],
  onMoment: (moment: Moment) => void,
): void {
  try {
    checkLinks(place, steps);
    mkdirSync(place.output, { recursive: true });
    for (const { act, path } of steps) {
      if (act === 'move') move(join(place.tree, path), join(place.output, path));
      else remove(place.output, path);
      onMoment('done');
    }
    onMoment('swapped');
    rmSync(place.journal, { force: true });
  } catch (error) {
    throw new SwapInterrupted(place.output, error);
  }
  onMoment('dropped');
  rmSync(place.tree, { recursive: true, force: true });
}

function checkLinks(place: Place, steps: readonly SwapStep[]): void {
  const folders = new Folders(place.output, true);
  const unsafe = steps.filter(({ path }) => folders.isBehindLink(path)).map(({ path }) => path);
  if (unsafe.length > 0) throw new UnsafePath(place.output, unsafe);
}

function move(from: string, to: string): void {
  const source = lstatSync(from, { throwIfNoEntry: false });
  if (source === undefined) return;
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The folder came to be meanwhile, or is the mount point of another file system.
    const merge = code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EXDEV';
    if (!merge) throw error;
    if (source.isDirectory()) {
      mkdirSync(to, { recursive: true });
      for (const name of readdirSync(from)) move(join(from, name), join(to, name));
    } else {
      const near = `${to}.tenantry-new`;
      copyFileSync(from, near);
      renameSync(near, to);
      unlinkSync(from);
    }
  }
}

function remove(root: string, path: string): void {
  const file = join(root, path);
  const stat = statOf(file);
  // A folder in the place of our file is not ours, or was moved there before an interruption.
  if (stat?.isDirectory() === true) return;
  if (stat !== undefined) unlinkSync(file);
  for (const folder of foldersAbove(path)) {
    if (!removeIfEmpty(join(root, folder))) break;
  }
}

/** Undefined when nothing is there, also when a folder of the path is a file by now. */
function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
