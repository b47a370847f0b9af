import type { Folders } from './folders.ts';
import { foldersAbove, OWNERSHIP_FILE } from './paths.ts';

/** One step of a swap. */
export interface SwapStep {
  /** `move` brings a staged file or a whole new folder; `remove` takes a file of ours away. */
  readonly act: 'move' | 'remove';
  readonly path: string;
}

const remove = (path: string): SwapStep => ({ act: 'remove', path });
const move = (path: string): SwapStep => ({ act: 'move', path });

/**
 * The steps that bring staged files to an existing output: removals that make room (a file where a
 * folder comes, or the reverse), moves, other removals, and last the list of files. A folder that
 * is new comes by one move.
 */
export function planSwap(
  staged: readonly string[],
  removed: readonly string[],
  folders: Folders,
): SwapStep[] {
  const files = new Set(staged);
  const parents = new Set<string>();
  const moves = new Set<string>();
  for (const path of staged) {
    for (const folder of foldersAbove(path)) {
      if (parents.has(folder)) break;
      parents.add(folder);
    }
    if (path !== OWNERSHIP_FILE) moves.add(folders.topmostMissing(path));
  }
  const inTheWay = (path: string) =>
    parents.has(path) || foldersAbove(path).some((folder) => files.has(folder));
  return [
    ...removed.filter(inTheWay).map(remove),
    ...[...moves].map(move),
    ...removed.filter((path) => !inTheWay(path)).map(remove),
    ...(files.has(OWNERSHIP_FILE) ? [move(OWNERSHIP_FILE)] : []),
  ];
}
