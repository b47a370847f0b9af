import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitEnvironment, runGit, type GitAnswer, type RunGit } from './git.ts';

/** Runs Git commands in the background, in parallel with other work. */
export class GitAhead {
  readonly #answers = new Map<string, GitAnswer>();
  readonly #begun: { readonly stop: () => void; readonly ended: Promise<void> }[] = [];

  /** Like `runGit`, but uses the answer of a command that `begin` started. */
  readonly ask: RunGit = (args, cwd, input) => {
    if (input !== undefined) return runGit(args, cwd, input);
    const key = buildKey(args, cwd);
    const answer = this.#answers.get(key) ?? runGit(args, cwd);
    this.#answers.set(key, answer);
    return answer;
  };

  /** Starts a command in the background. If it fails, `ask` runs it again and returns the reason. */
  begin(args: readonly string[], cwd: string): void {
    const place = placeOfAnswer();
    if (!place) return;
    const { folder, file, out } = place;
    const child = spawn('git', [...args], {
      cwd,
      env: gitEnvironment(),
      stdio: ['ignore', out, 'ignore'],
    });
    closeSync(out);
    const ended = new Promise<void>((resolve) => {
      const end = (code: number | null): void => {
        if (code === 0) this.#answers.set(buildKey(args, cwd), { out: readFileSync(file) });
        rmSync(folder, { recursive: true, force: true });
        resolve();
      };
      child.on('error', () => end(null));
      child.on('close', end);
    });
    this.#begun.push({ stop: () => void child.kill(), ended });
  }

  /** Waits until all commands have ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#begun.map(({ ended }) => ended));
  }

  /** Stops all commands; their answers are no longer needed. */
  async stop(): Promise<void> {
    for (const { stop } of this.#begun) stop();
    await this.settle();
  }
}

/**
 * Opens a temporary file for the answer, since a pipe would fill up before it is read. Undefined on
 * failure.
 */
function placeOfAnswer() {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-git-'));
    const file = join(folder, 'out');
    return { folder, file, out: openSync(file, 'w') };
  } catch {
    return undefined;
  }
}

function buildKey(args: readonly string[], cwd: string): string {
  return JSON.stringify([cwd, ...args]);
}
