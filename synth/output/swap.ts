import {
  accessSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Folders, UnsafePath } from './folders.ts';
import { foldersAbove, folderOf } from './paths.ts';
import type { Stage } from './area.ts';
import type { OutputLocation } from './location.ts';

/** One step of a swap. */
interface SwapStep {
  /** `move` moves a staged file or a whole new folder into place; `remove` removes a generated file. */
  readonly act: 'move' | 'remove';
  readonly path: string;
}

const removeStep = (path: string): SwapStep => ({ act: 'remove', path });
const moveStep = (path: string): SwapStep => ({ act: 'move', path });

/** The paths of an output that change. */
export interface SwapPaths {
  readonly staged: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Computes the steps that move staged files into an existing output: removals that make room (a file in the place of a
 * folder, or the reverse), moves, and other removals. A new folder is moved as a whole.
 */
export function computeSwapSteps({ staged, removed }: SwapPaths, folders: Folders): SwapStep[] {
  const files = new Set(staged);
  const parents = new Set<string>();
  for (const path of staged) {
    for (const folder of foldersAbove(path)) {
      if (parents.has(folder)) break;
      parents.add(folder);
    }
  }
  const isInTheWay = (path: string) =>
    parents.has(path) || foldersAbove(path).some((folder) => files.has(folder));
  const moved = new Set(staged.map((path) => folders.topmostMissing(path)));
  return [
    ...removed.filter(isInTheWay).map(removeStep),
    ...[...moved].map(moveStep),
    ...removed.filter((path) => !isInTheWay(path)).map(removeStep),
  ];
}

/** Points of a write at which a test may stop it; `done` follows each step of a swap. */
export type Moment = 'locked' | 'staged' | 'begun' | 'done' | 'swapped';

/** Reports a swap that stopped half way. Every file is old or new. The next run repairs it. */
export class SwapInterrupted extends Error {
  override readonly name = 'SwapInterrupted';

  constructor(output: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `${output} must be writable while an output is swapped in, got ${reason}; some files are new and some are old: fix it and synthesize again`,
      { cause },
    );
  }
}

/** Throws before a swap that cannot succeed: a folder is not writable, or is a link. */
export function checkSwap(place: OutputLocation, steps: readonly SwapStep[]): void {
  const folders = new Folders(place.output, true);
  const unsafe = steps.filter(({ path }) => folders.isBehindLink(path)).map(({ path }) => path);
  if (unsafe.length > 0) throw new UnsafePath(place.output, unsafe);
  for (const folder of new Set(['', ...steps.map(({ path }) => folderOf(path))])) {
    if (folders.state(folder, folder) === 'folder') {
      accessSync(join(place.output, folder), constants.W_OK | constants.X_OK);
    }
  }
}

interface Swap {
  readonly output: string;
  readonly stage: Stage;
  /** Throws when the output is no longer the folder that the steps were computed for. */
  readonly check: () => void;
  readonly onMoment: (moment: Moment) => void;
}

/** Executes the steps of a swap in order. Throws `SwapInterrupted`. */
export function swap(steps: readonly SwapStep[], { output, stage, check, onMoment }: Swap): void {
  const safely = (path: string): void => {
    check();
    if (new Folders(output, true).isBehindLink(path)) throw new UnsafePath(output, [path]);
  };
  try {
    onMoment('begun');
    for (const { act, path } of steps) {
      safely(path);
      if (act === 'move') move(join(stage.swap, path), join(output, path));
      else remove(output, path);
      onMoment('done');
    }
    onMoment('swapped');
  } catch (error) {
    throw new SwapInterrupted(output, error);
  }
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The folder was created meanwhile, or is the mount point of another file system.
    const merge = code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EXDEV';
    if (!merge) throw error;
    if (lstatSync(from).isDirectory()) {
      mkdirSync(to, { recursive: true });
      for (const name of readdirSync(from)) move(join(from, name), join(to, name));
    } else {
      copy(from, to);
    }
  }
}

/** Copies a file without following a link at the target and without overwriting a newly created file. */
function copy(from: string, to: string): void {
  rmSync(to, { force: true });
  copyFileSync(from, to, constants.COPYFILE_EXCL);
}

function remove(root: string, path: string): void {
  const file = join(root, path);
  const stat = readStat(file);
  // A folder in the place of the file was not rendered.
  if (stat?.isDirectory() === true) return;
  if (stat !== undefined) unlinkSync(file);
  for (const folder of foldersAbove(path)) {
    if (!removeIfEmpty(join(root, folder))) break;
  }
}

/** Returns undefined when nothing is there, or when a parent folder is now a file. */
function readStat(file: string): Stats | undefined {
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
