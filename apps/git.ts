import { execFileSync } from 'node:child_process';

/** The output of Git, or the reason why there is none. */
export type GitAnswer =
  | { readonly out: Buffer; readonly failed?: undefined }
  | { readonly out?: undefined; readonly failed: string };

/**
 * Variables that are set for hooks, relative to their folder and for the index of an unfinished
 * commit. They are removed, so that Git finds the repository by its folder.
 */
const OF_A_HOOK = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR'];

/** Runs Git in a folder. */
export type RunGit = (
  args: readonly string[],
  cwd: string,
  input?: string,
  variables?: NodeJS.ProcessEnv,
) => GitAnswer;

/** Returns the environment variables for Git. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const hook = new Set(OF_A_HOOK);
  const env = Object.entries(process.env).filter(([name]) => !hook.has(name));
  return { ...Object.fromEntries(env), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
}

/** Runs Git and waits for its output. */
export const runGit: RunGit = (args, cwd, input, variables = {}) => {
  try {
    const out = execFileSync('git', [...args], {
      cwd,
      env: { ...gitEnvironment(), ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
      input,
      maxBuffer: 2 ** 30,
    });
    return { out };
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: Buffer };
    if (code === 'ENOENT') return { failed: 'no git on the PATH' };
    return { failed: stderr?.toString().trim().split('\n')[0] || message };
  }
};
