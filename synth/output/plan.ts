import type { Folders } from './folders.ts';
import { foldersAbove } from './paths.ts';

/** One step of a swap. */
export interface SwapStep {
  /** `move` moves a staged file or a whole new folder into place; `remove` removes a generated file. */
  readonly act: 'move' | 'remove';
  readonly path: string;
}

const remove = (path: string): SwapStep => ({ act: 'remove', path });
const move = (path: string): SwapStep => ({ act: 'move', path });

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
    ...removed.filter(isInTheWay).map(remove),
    ...[...moved].map(move),
    ...removed.filter((path) => !isInTheWay(path)).map(remove),
  ];
}
