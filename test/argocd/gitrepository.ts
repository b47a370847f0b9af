import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by their paths in the repository; undefined takes one away, a folder with all that is in it. */
export type Files = Readonly<Record<string, string | undefined>>;

/** Nothing of the machine's configuration of Git, which may ask for signatures or another branch. */
const environment = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

/** A Git repository in a folder of its own, from which Argo CD reads; its branch is `main`. */
export class GitRepository implements Disposable {
  readonly #folder: string;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'tenantry-git-'));
    this.#git('init', '--quiet', '--initial-branch=main');
    this.#git('commit', '--quiet', '--allow-empty', '--message=Begin');
  }

  /** 'file:///tmp/tenantry-git-abc' */
  get url(): string {
    return `file://${this.#folder}`;
  }

  /** The revision of `main`. */
  get head(): string {
    return this.#git('rev-parse', 'HEAD');
  }

  /** Writes files, takes others away, and returns the revision. */
  commit(message: string, files: Files): string {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.#folder, path);
      if (text === undefined) rmSync(file, { recursive: true });
      else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    }
    return this.#commitAll(message);
  }

  /** Puts all of a folder of this machine in the place of `path`, and returns the revision. */
  commitFolder(message: string, source: string, path: string): string {
    const target = join(this.#folder, path);
    rmSync(target, { recursive: true, force: true });
    cpSync(source, target, { recursive: true });
    return this.#commitAll(message);
  }

  /** Takes back what the last commit, or that of a revision, did. Returns the revision. */
  revert(revision = 'HEAD'): string {
    this.#git('revert', '--no-edit', revision);
    return this.head;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #commitAll(message: string): string {
    this.#git('add', '--all');
    this.#git('commit', '--quiet', `--message=${message}`);
    return this.head;
  }

  #git(...args: readonly string[]): string {
    const options = { cwd: this.#folder, env: environment, encoding: 'utf8' } as const;
    return execFileSync('git', args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  }
}
