import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, renameSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { isOutputPath } from './paths.ts';

/** One step of a swap. Each can be repeated: a step that was done already does nothing. */
export interface SwapStep {
  /** `move` brings a staged file or a whole new folder; `remove` takes a file of ours away. */
  readonly act: 'move' | 'remove';
  readonly path: string;
}

const TITLE = 'tenantry swap 1';
const LINE = /^(move|remove) (.*)$/;

/**
 * Writes the journal of a swap: from the moment it is there, the swap must be carried out. It
 * appears whole, by a rename, and is flushed to the disk before.
 */
export function writeJournal(file: string, steps: readonly SwapStep[]): void {
  const unfinished = `${file}.new`;
  const descriptor = openSync(unfinished, 'w');
  try {
    const lines = steps.map(({ act, path }) => `${act} ${path}\n`);
    writeFileSync(descriptor, `${TITLE}\n${lines.join('')}end\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
}

/** Whether a swap was interrupted. */
export function hasJournal(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** The steps of a journal. Throws when it is not one that `writeJournal` wrote. */
export function readJournal(file: string): SwapStep[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const intact = lines[0] === TITLE && lines.at(-2) === 'end' && lines.at(-1) === '';
  const steps = lines.slice(1, -2).flatMap((line): SwapStep[] => {
    const [, act, path] = LINE.exec(line) ?? [];
    if (path === undefined || !isOutputPath(path)) return [];
    return [{ act: act === 'move' ? 'move' : 'remove', path }];
  });
  if (intact && steps.length === lines.length - 3) return steps;
  throw new Error(
    `${file} must be the journal of an interrupted swap, got a damaged one; delete its folder and synthesize again`,
  );
}
