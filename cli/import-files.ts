import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diff } from 'node:util';
import { readDeclarations } from '../crds/declarations.ts';
import { platform as platformKind } from '../crds/platform.ts';
import { isDeepEqual } from '@tenantry/kube/json';
import type { ImportResult } from '../import/import-manifests.ts';

/** A file of an import, compared with what is on disk. */
export interface FileChange {
  readonly path: string;
  readonly text: string;
  readonly change: 'new' | 'unchanged' | 'changed';
  /** The number of lines that a change adds and removes. */
  readonly added: number;
  readonly removed: number;
}

/** Compares the files of an import with those on disk. A platform file of the same content is unchanged. */
export function compareFiles(
  result: Pick<ImportResult, 'platform' | 'files'>,
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
    if (before === text || (path === folders.platform && isSamePlatform(before, text))) {
      return { path, text, change: 'unchanged', added: 0, removed: 0 };
    }
    return { path, text, change: 'changed', ...countChanges(before, text) };
  });
}

function isSamePlatform(before: string, after: string): boolean {
  const [one, other] = [before, after].map((text) => {
    const { declared } = readDeclarations('', text, [platformKind], () => {
      throw new Error('a Platform includes no files');
    });
    return declared[0]?.spec;
  });
  return one !== undefined && isDeepEqual(one, other);
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
