import type { Folders } from './folders.ts';
import { foldersAbove } from './paths.ts';

/** One step of a swap. */
export interface SwapStep {
  /** `move` brings a staged file or a whole new folder; `remove` takes a file of ours away. */
  readonly act: 'move' | 'remove';
  readonly path: string;
}

const remove = (path: string): SwapStep => ({ act: 'remove', path });
const move = (path: string): SwapStep => ({ act: 'move', path });

/** What a swap brings and takes away. */
export interface SwapSequence {
  /** The marks of new files: they come before anything else. */
  readonly marks: readonly SwapStep[];
  readonly steps: readonly SwapStep[];
}

/** Paths of an output that change. */
export interface SwapPaths {
  readonly staged: readonly string[];
  readonly removed: readonly string[];
  /** Marks that are staged. */
  readonly marks: readonly string[];
  /** Marks, and what earlier versions left, that go. */
  readonly unmarked: readonly string[];
}

/**
 * The steps that bring staged files to an existing output. First the marks, so that every file of
 * ours has one whenever the swap ends; then removals that make room (a file where a folder comes, or
 * the reverse), moves, other removals, and last the marks of what is gone. A folder that is new comes
 * by one move.
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
