import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What Git said, or why it said nothing. */
export type GitAnswer =
  | { readonly out: Buffer; readonly failed?: undefined }
  | { readonly out?: undefined; readonly failed: string };

/**
 * Hooks run with these set, relative to their own folder and for the index of a commit in the making;
 * a repository is found by its folder instead.
 */
const OF_A_HOOK = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR'];

/** Asks Git in a folder. */
export type RunGit = (
  args: readonly string[],
  cwd: string,
  input?: string,
  variables?: NodeJS.ProcessEnv,
) => GitAnswer;

/** What Git is told by variables. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const hook = new Set(OF_A_HOOK);
  const env = Object.entries(process.env).filter(([name]) => !hook.has(name));
  return { ...Object.fromEntries(env), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
}

/** Asks Git, and waits for what it says. */
export const runGit: RunGit = (args, cwd, input, variables = {}) => {
  try {
    const out = execFileSync('git', [...args], {
      cwd,
      env: { ...gitEnvironment(), ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(input !== undefined && { input }),
      maxBuffer: 2 ** 30,
    });
    return { out };
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: Buffer };
    if (code === 'ENOENT') return { failed: 'no git on the PATH' };
    return { failed: stderr?.toString().trim().split('\n')[0] || message };
  }
};

/** What git prints, or undefined when it fails or is not there. */
export function git(args: readonly string[], cwd: string): string | undefined {
  return runGit(args, cwd).out?.toString();
}

/** Whether a folder lies in a repository, as far as one can see without asking Git. */
export function hasRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  const above = dirname(folder);
  return above !== folder && hasRepository(above);
}
