import type { Folders } from './folders.ts';
import { foldersAbove } from './paths.ts';

/** One step of a swap. */
export interface SwapStep {
  /** `move` moves a staged file or a whole new folder into place; `remove` removes a rendered file. */
  readonly act: 'move' | 'remove';
  readonly path: string;
}

const remove = (path: string): SwapStep => ({ act: 'remove', path });
const move = (path: string): SwapStep => ({ act: 'move', path });

/** The steps of a swap. */
export interface SwapSequence {
  /** The marks of new files, which are written first. */
  readonly marks: readonly SwapStep[];
  readonly steps: readonly SwapStep[];
}

/** The paths of an output that change. */
export interface SwapPaths {
  readonly staged: readonly string[];
  readonly removed: readonly string[];
  /** The staged marks. */
  readonly marks: readonly string[];
  /** Marks and records of earlier versions to remove. */
  readonly unmarked: readonly string[];
}

/**
 * Computes the steps that move staged files into an existing output. Marks come first, so that
 * every rendered file has one whenever the swap stops. Then come removals that make room (a file in
 * the place of a folder, or the reverse), moves, other removals, and last the marks of removed
 * files. A new folder is moved as a whole.
 */
export function computeSwapSequence(paths: SwapPaths, folders: Folders): SwapSequence {
  const { staged, removed, marks, unmarked } = paths;
  const files = new Set(staged);
  const parents = new Set<string>();
  for (const path of staged) {
    for (const folder of foldersAbove(path)) {
      if (parents.has(folder)) break;
      parents.add(folder);
    }
  }
  const inTheWay = (path: string) =>
    parents.has(path) || foldersAbove(path).some((folder) => files.has(folder));
  const moves = (some: readonly string[]) =>
    [...new Set(some.map((path) => folders.topmostMissing(path)))].map(move);
  return {
    marks: moves(marks),
    steps: [
      ...removed.filter(inTheWay).map(remove),
      ...moves(staged),
      ...removed.filter((path) => !inTheWay(path)).map(remove),
      ...unmarked.map(remove),
    ],
  };
}
