import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Problem } from '@tenantry/kube/problem';
import type { NewFile } from './write-new-files.ts';

/** New files beside what is in their folder already. */
export interface Comparison {
  readonly missing: readonly NewFile[];
  /** The files that exist with the same content. */
  readonly unchanged: readonly NewFile[];
  /** One problem for each place that has something else. */
  readonly problems: readonly Problem[];
}

/** Compares new files with a folder, which need not exist. Links are not followed. */
export function compareWithFolder(folder: string, files: readonly NewFile[]): Comparison {
  const missing: NewFile[] = [];
  const unchanged: NewFile[] = [];
  const problems = new Map<string, Problem>();
  for (const file of files) {
    const found = inspect(folder, file);
    if (found === 'missing') missing.push(file);
    else if (found === 'unchanged') unchanged.push(file);
    else problems.set(found.file!, found);
  }
  return { missing, unchanged, problems: [...problems.values()] };
}

function inspect(folder: string, { path, text }: NewFile): 'missing' | 'unchanged' | Problem {
  for (const above of foldersOf(path)) {
    const stats = statOf(join(folder, above));
    if (stats === undefined) return 'missing';
    if (!stats.isDirectory()) {
      return buildProblem(join(folder, above), `must be a folder, got ${describe(stats)}`);
    }
  }
  const file = join(folder, path);
  const stats = statOf(file);
  if (stats === undefined) return 'missing';
  if (!stats.isFile()) return buildProblem(file, `must not exist, got ${describe(stats)}`);
  if (isSameText(file, text)) return 'unchanged';
  return buildProblem(file, 'must not exist with other content: no file is overwritten');
}

/** Returns the folders of a path from the top: `a`, `a/b` for `a/b/c`. */
function foldersOf(path: string): string[] {
  const above = dirname(path);
  return above === '.' ? [] : [...foldersOf(above), above];
}

const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

function describe(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a folder';
  return stats.isFile() ? 'a file' : 'neither a file nor a folder';
}

function isSameText(file: string, text: string): boolean {
  try {
    return readFileSync(file).equals(Buffer.from(text));
  } catch {
    // What cannot be read may differ.
    return false;
  }
}

const buildProblem = (file: string, message: string): Problem => ({
  file,
  path: '',
  message,
  rule: 'in-the-way',
});
