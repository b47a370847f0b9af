import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runGit } from '../../apps/git.ts';

export { gitEnvironment, runGit, type GitAnswer, type RunGit } from '../../apps/git.ts';

/** Returns the output of Git, or undefined if it fails or is not installed. */
export function git(args: readonly string[], cwd: string): string | undefined {
  return runGit(args, cwd).out?.toString();
}

/** Whether a folder is in a repository, as far as the file system shows without running Git. */
export function hasRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  const above = dirname(folder);
  return above !== folder && hasRepository(above);
}
