import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diff } from 'node:util';
import type { ImportResult } from '../import/import-manifests.ts';
import { editPlatformText } from '../import/platform-text.ts';

/** A file of an import, compared with what is on disk. */
export interface FileChange {
  readonly path: string;
  readonly text: string;
  /** `extended`: a platform file that keeps its text, with what the import needs besides. */
  readonly change: 'new' | 'unchanged' | 'extended' | 'changed';
  /** The number of lines that a change adds and removes. */
  readonly added: number;
  readonly removed: number;
}

/** Compares the files of an import with those on disk. A platform file keeps its own text as far as possible. */
export function compareFiles(
  result: Pick<ImportResult, 'platform' | 'files' | 'fleet'>,
  folders: { readonly platform: string; readonly out: string },
): FileChange[] {
  const wanted = [
    { path: folders.platform, text: result.platform },
    ...result.files.map(({ path, text }) => ({ path: join(folders.out, path), text })),
  ];
  return wanted.map(({ path, text }) => {
    if (!existsSync(path)) {
      return { path, text, change: 'new', added: countLines(text), removed: 0 };
    }
    const before = readFileSync(path, 'utf8');
    const own = path === folders.platform ? editPlatformText(before, result.fleet.platform) : text;
    if (before === own) return { path, text: own, change: 'unchanged', added: 0, removed: 0 };
    const isExtended = path === folders.platform && own !== undefined;
    const change = isExtended ? 'extended' : 'changed';
    return { path, text: own ?? text, change, ...countChanges(before, own ?? text) };
  });
}

const countLines = (text: string): number => text.split('\n').length - 1;

function countChanges(before: string, after: string): { added: number; removed: number } {
  const lines = diff(before.split('\n'), after.split('\n'));
  // `diff` has 1 for a line that only the first text has.
  const count = (side: number): number => lines.filter(([operation]) => operation === side).length;
  return { added: count(-1), removed: count(1) };
}

/**
 * Writes files, or none of them: first all to temporary names, and then each to its own.
 * @throws {Error} of the file system, after the temporary files were removed
 */
export function writeFiles(files: readonly FileChange[]): void {
  const suffix = `.${process.pid}.tmp`;
  const staged: string[] = [];
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path + suffix, text);
      staged.push(path);
    }
    for (const { path } of files) renameSync(path + suffix, path);
  } finally {
    for (const path of staged) rmSync(path + suffix, { force: true });
  }
}
