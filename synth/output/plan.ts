import type { Folders } from './folders.ts';
import { foldersAbove } from './paths.ts';

/** One step of a swap. */
export interface SwapStep {
  /** `move` brings a staged file or a whole new folder; `remove` takes a generated file away. */
  readonly act: 'move' | 'remove';
  readonly path: string;
}

const remove = (path: string): SwapStep => ({ act: 'remove', path });
const move = (path: string): SwapStep => ({ act: 'move', path });

/** Paths of an output that change. */
export interface SwapPaths {
  readonly staged: readonly string[];
  readonly removed: readonly string[];
}

/**
 * The steps that bring staged files to an existing output: removals that make room (a file where a folder comes, or the
 * reverse), moves, and the other removals. A folder that is new comes by one move.
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
