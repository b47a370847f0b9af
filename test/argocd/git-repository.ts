import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** Files by their paths in the repository; undefined deletes a file, or a folder with its content. */
export type Files = Readonly<Record<string, string | undefined>>;

/** Ignores the Git configuration of the machine, which may require signatures or another branch. */
const environment = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

/** A Git repository in its own folder, from which Argo CD reads; its branch is `main`. */
export class GitRepository implements Disposable {
  readonly #folder: string;
  readonly #isOurs: boolean;

  /** @param folder becomes the work tree, with its content, and stays at the end. Default: a temporary folder */
  constructor(folder?: string) {
    this.#isOurs = folder === undefined;
    this.#folder = folder ?? mkdtempSync(join(tmpdir(), 'tenantry-git-'));
    this.#git('init', '--quiet', '--initial-branch=main');
    this.#git('commit', '--quiet', '--allow-empty', '--message=Begin');
  }

  /** The work tree. */
  get folder(): string {
    return this.#folder;
  }

  /** 'file:///tmp/tenantry-git-abc' */
  get url(): string {
    return `file://${this.#folder}`;
  }

  /** The revision of `main`. */
  get head(): string {
    return this.#git('rev-parse', 'HEAD');
  }

  /** Writes and deletes files, and returns the revision. */
  commit(message: string, files: Files = {}): string {
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

  /**
   * Replaces `path` with a complete folder of this machine, and returns the revision.
   * @param change gets the path of each file below that folder, and its text. Default: texts stay unchanged
   */
  commitFolder(
    message: string,
    source: string,
    path: string,
    change: (path: string, text: string) => string = (_, text) => text,
  ): string {
    const target = join(this.#folder, path);
    rmSync(target, { recursive: true, force: true });
    for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const name = relative(source, file);
      mkdirSync(dirname(join(target, name)), { recursive: true });
      writeFileSync(join(target, name), change(name, readFileSync(file, 'utf8')));
    }
    return this.#commitAll(message);
  }

  /** Reverts the last commit, or that of a revision. Returns the revision. */
  revert(revision = 'HEAD'): string {
    this.#git('revert', '--no-edit', revision);
    return this.head;
  }

  [Symbol.dispose](): void {
    if (this.#isOurs) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Makes no commit if nothing has changed. */
  #commitAll(message: string): string {
    this.#git('add', '--all');
    if (this.#git('status', '--porcelain') === '') return this.head;
    this.#git('commit', '--quiet', `--message=${message}`);
    return this.head;
  }

  #git(...args: readonly string[]): string {
    const options = { cwd: this.#folder, env: environment, encoding: 'utf8' } as const;
    return execFileSync('git', args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  }
}
