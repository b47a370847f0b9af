import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Repository } from '../../apps/codeowners.ts';
import { buildDiffArgs } from '../git/base-tree.ts';
import { runGit } from '../git/git.ts';

/**
 * Lists the files that differ from a commit, also those that Git does not know yet, relative to the root.
 * @throws when Git cannot list them: no file would need anybody
 */
export function listChangedFiles(commit: string, root: string): string[] {
  const untracked = ['ls-files', '--others', '--exclude-standard', '-z'];
  // Another commit of a submodule is a change, too.
  const differing = buildDiffArgs(commit).toSpliced(-1, 0, '--ignore-submodules=dirty');
  const texts = withCopyOfIndex(root, (variables) =>
    [differing, untracked].map((args) => {
      const answer = runGit(args, root, undefined, variables);
      if (answer.failed !== undefined) throw new Error(`git ${args[0]}: ${answer.failed}`);
      return answer.out.toString();
    }),
  );
  return [...new Set(texts.flatMap((text) => text.split('\0').filter(Boolean)))].toSorted();
}

/** Gives Git a copy of the index. To compare files, it updates their times in the index. */
function withCopyOfIndex<T>(root: string, use: (variables: NodeJS.ProcessEnv) => T): T {
  const path = runGit(['rev-parse', '--git-path', 'index'], root).out?.toString().trimEnd();
  const index = path === undefined ? undefined : resolve(root, path);
  if (index === undefined || !existsSync(index)) return use({});
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-index-'));
  try {
    const copy = join(folder, 'index');
    copyFileSync(index, copy);
    return use({ GIT_INDEX_FILE: copy });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a file is in a folder or below it. */
export const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** Sorts changed files into declarations, output that nothing renders so, and others that the platform decides about. */
export function sortFiles(
  changed: readonly string[],
  { tenants, out }: Repository,
  isOnDisk: (path: string) => boolean,
) {
  const declarations = changed.filter(
    (path) => isBelow(path, tenants) && !isProgram(path.slice(tenants.length + 1)),
  );
  const output = changed.filter((path) => isBelow(path, out));
  const known = new Set([...declarations, ...output]);
  return {
    declarations,
    edited: output.filter((path) => !isOnDisk(path.slice(out.length + 1))),
    others: changed.filter((path) => !known.has(path) && !isForReaders(path)),
  };
}

/** A program, a package, or a hidden file or folder below the tenants, which is no declaration. */
const isProgram = (path: string): boolean =>
  /(^|\/)\.|\.[cm]?[jt]sx?$|(^|\/)package(-lock)?\.json$/.test(path);

/** Markdown, unless it is in a folder that configures a tool. */
const isForReaders = (path: string): boolean => path.endsWith('.md') && !/(^|\/)\./.test(path);
