import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { show } from '@tenantry/kube/problem';
import { DEEPEN, isShallow } from './base-commits.ts';
import { runGit } from './git.ts';
import { UsageError } from '../usage-error.ts';

/** The commit that is promoted. */
export interface SourceCommit {
  readonly id: string;
  /** The trailers with which an environment branch names the commit. */
  readonly trailers: readonly string[];
}

/** The newest commit of an environment branch. */
export interface Tip {
  readonly id: string;
  /** The source commit that it was made from. */
  readonly madeOf: string;
}

/**
 * The trailer that names the source commit. Argo CD shows that commit beside the synced revision.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/source-hydrator/
 */
const TRAILER = 'Argocd-reference-commit-';
const MADE_OF = `${TRAILER}sha`;

/** A branch of rendered output at a remote. It never touches the working folder or its index. */
export class EnvironmentBranch {
  readonly remote: string;
  readonly name: string;
  /** The root of the repository. */
  readonly top: string;

  /** @throws {UsageError} outside of a repository, or when the name is not a branch name */
  constructor(remote: string, name: string) {
    this.remote = remote;
    this.name = name;
    if (remote.startsWith('-'))
      throw new UsageError(`--remote must be a Git remote, got ${show(remote)}`);
    const top = runGit(['rev-parse', '--show-toplevel'], '.');
    if (top.failed !== undefined) {
      throw new UsageError(
        `promote must run in a Git repository; Git reports: ${redactCredentials(top.failed)}`,
      );
    }
    this.top = top.out.toString().replace(/\n$/, '');
    if (runGit(['check-ref-format', '--branch', name], this.top).failed !== undefined) {
      throw new UsageError(`--branch must be the name of a branch, got ${show(name)}`);
    }
  }

  /**
   * Returns a folder relative to the root of the repository.
   * @throws {UsageError} when the folder is outside of the repository
   */
  resolveFolder(folder: string): string {
    const prefix = this.#ask(['rev-parse', '--show-prefix'], '.').replace(/\n$/, '');
    const cwd = resolve('.');
    const place = join(prefix, relative(cwd, resolve(folder))).replaceAll('\\', '/');
    if (place === '.' || place.startsWith('..')) {
      throw new UsageError(`--out must be a folder in the repository, got ${show(folder)}`);
    }
    return place.replace(/\/$/, '');
  }

  /**
   * Returns HEAD if it contains everything that is rendered.
   * @param inputs files and folders that are read; none of them may hold a file that Git does not
   * track
   * @throws {UsageError} when something is not committed
   */
  readSourceCommit(inputs: readonly string[]): SourceCommit {
    const status = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=none'];
    const known = this.#ask([...status, '--untracked-files=no']);
    const unknown = this.#ask(
      ['--literal-pathspecs', 'ls-files', '-z', '--others', '--exclude-standard', '--', ...inputs],
      '.',
    );
    const paths = [
      ...known.split('\0').map((line) => line.slice(3)),
      ...unknown.split('\0'),
    ].filter(Boolean);
    if (paths.length > 0) {
      const more = paths.length > 1 ? ` and ${paths.length - 1} more` : '';
      throw new UsageError(
        `everything must be committed, because the branch names its source commit, got changes in ${show(paths[0])}${more}`,
      );
    }
    const format = ['%H', '%an', '%ae', '%aI', '%s'].join('%x00');
    const [id = '', name = '', mail = '', date = '', subject = ''] = this.#ask([
      'log',
      '-1',
      '--no-show-signature',
      `--format=${format}`,
      'HEAD',
    ])
      .replace(/\n$/, '')
      .split('\0');
    const author = `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}" <${mail}>`;
    const trailers = [`sha: ${id}`, `author: ${author}`, `date: ${date}`, `subject: ${subject}`];
    return { id, trailers: trailers.map((one) => TRAILER + one) };
  }

  /**
   * Fetches the branch; undefined if it does not exist yet.
   * @throws {UsageError} when the remote cannot be read, or the branch was not made by a promotion
   */
  fetch(): Tip | undefined {
    const ref = `refs/heads/${this.name}`;
    const listed = runGit(['ls-remote', '--', this.remote, ref], this.top);
    if (listed.failed !== undefined) {
      throw new UsageError(
        `--remote must be a Git remote that can be read, got ${show(redactCredentials(this.remote))}; Git reports: ${redactCredentials(listed.failed)}`,
      );
    }
    const line = listed.out
      .toString()
      .split('\n')
      .find((one) => one.endsWith(`\t${ref}`));
    if (line === undefined) return undefined;
    const fetched = runGit(['fetch', '--quiet', '--no-tags', '--', this.remote, ref], this.top);
    if (fetched.failed !== undefined) {
      throw new UsageError(
        `${this.displayName} must be fetched; Git reports: ${redactCredentials(fetched.failed)}`,
      );
    }
    const id = this.#ask(['rev-parse', '--verify', 'FETCH_HEAD^{commit}']).trim();
    const value = `--format=%(trailers:key=${MADE_OF},valueonly)`;
    const log = [
      'log',
      '-1',
      '--no-show-signature',
      value,
      '--basic-regexp',
      `--grep=^${MADE_OF}: `,
      id,
    ];
    const madeOf = this.#ask(log).trim();
    if (!/^[\da-f]{40,64}$/.test(madeOf)) {
      throw new UsageError(
        `${this.displayName} must be a branch that promote made, got one in which no commit has the trailer ${MADE_OF}; name another with --branch`,
      );
    }
    return { id, madeOf };
  }

  /**
   * Checks that a source commit comes after the one that the branch was made from.
   * @throws {UsageError} when it does not
   */
  checkOrder(source: string, { madeOf }: Tip): void {
    const base = runGit(['merge-base', source, madeOf], this.top).out?.toString().trim();
    if (base === madeOf) return;
    const must = `HEAD (${source.slice(0, 10)}) must come after ${madeOf.slice(0, 10)}, of which ${this.displayName} was made`;
    if (base === source)
      throw new UsageError(`${must}, got an older one: to go back, revert on top of it`);
    throw new UsageError(`${must}, got ${this.#lacking(madeOf)}`);
  }

  /** Explains why HEAD does not contain a commit. */
  #lacking(commit: string): string {
    if (isShallow(this.top, runGit)) return `a shallow clone that does not have it: ${DEEPEN}`;
    const isHere = runGit(['cat-file', '-e', `${commit}^{commit}`], this.top).failed === undefined;
    return isHere
      ? 'a commit without it in its history: merge it first'
      : 'a clone without it: it is newer, or of another branch';
  }

  /** Lists every path of a commit. */
  listFiles(commit: string): string[] {
    return this.#ask(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit])
      .split('\0')
      .filter(Boolean);
  }

  /**
   * Makes a commit that holds the given files and no others.
   * @param files paths relative to the root of the repository, with their places on disk
   */
  commit(files: ReadonlyMap<string, string>, message: string, parent: string | undefined): string {
    const paths = [...files];
    const onDisk = paths.map(([, file]) => `${resolve(file)}\n`).join('');
    const ids = this.#ask(['hash-object', '-w', '--no-filters', '--stdin-paths'], this.top, onDisk);
    const blobs = ids.trimEnd().split('\n');
    const entries = paths.map(([path], i) => `100644 ${blobs[i]}\t${path}\0`).join('');
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-index-'));
    try {
      const index = { GIT_INDEX_FILE: join(folder, 'index') };
      this.#ask(['update-index', '-z', '--index-info'], this.top, entries, index);
      const tree = this.#ask(['write-tree'], this.top, undefined, index).trim();
      const words = [
        'commit-tree',
        ...this.#signing(),
        ...(parent === undefined ? [] : ['-p', parent]),
      ];
      return this.#ask([...words, '-F', '-', tree], this.top, message).trim();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Returns the signing flag, since `commit-tree` ignores the setting `commit.gpgSign`. */
  #signing(): string[] {
    const { out } = runGit(['config', '--type=bool', '--get', 'commit.gpgSign'], this.top);
    return out?.toString().trim() === 'true' ? ['-S'] : [];
  }

  /**
   * Pushes a commit on top of the tip. Git refuses it if somebody else pushed first.
   * @throws {UsageError} when it is refused
   */
  push(commit: string): void {
    const to = `${commit}:refs/heads/${this.name}`;
    const pushed = runGit(['push', '--quiet', '--no-force', '--', this.remote, to], this.top);
    if (pushed.failed === undefined) return;
    throw new UsageError(
      `${this.displayName} must take the commit, got a refusal; run it again if somebody else pushed meanwhile. Git reports: ${redactCredentials(pushed.failed)}`,
    );
  }

  /** The name for people: `origin/env/fra1`. */
  get displayName(): string {
    return redactCredentials(`${this.remote}/${this.name}`);
  }

  #ask(
    args: readonly string[],
    cwd: string = this.top,
    input?: string,
    variables?: Readonly<Record<string, string>>,
  ): string {
    const answer = runGit(args, cwd, input, variables);
    if (answer.failed === undefined) return answer.out.toString();
    throw new UsageError(
      `git ${args[0]} must succeed; Git reports: ${redactCredentials(answer.failed)}`,
    );
  }
}

/** Removes the password of an address from the output or input of Git. */
export function redactCredentials(text: string): string {
  return text.replaceAll(/:\/\/[^\s/@]*@/g, '://***@');
}
