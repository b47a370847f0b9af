import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isShallow } from '../git/base-commits.ts';
import { hasRepository, runGit } from '../git/git.ts';
import type { AccessPlace } from './access-source.ts';

/** The commit that last changed a line. */
export interface LineCommit {
  readonly id: string;
  readonly author: string;
  /** `2026-11-30`, in UTC. */
  readonly date: string;
  readonly subject: string;
}

/** Where the files were read, and where users find them. */
export interface ReadFolders {
  readonly folder: string;
  readonly shown: string;
  /** The commit that was read, instead of the files on disk. */
  readonly revision?: string;
}

/** The number of lines for which Git is run. */
const MAX_LINES = 20;

/** Finds the commits that last changed lines, of a few lines only. */
export class LineCommits {
  readonly #folders: ReadFolders | undefined;
  readonly #found = new Map<string, LineCommit | undefined>();

  /** @param folders absent to find no commits */
  constructor(folders: ReadFolders | undefined) {
    this.#folders = folders;
  }

  /** Returns the commit of a line; undefined if it is not committed, or was not read from a file of a repository. */
  find({ file, line }: AccessPlace): LineCommit | undefined {
    const key = `${line} ${file}`;
    if (!this.#found.has(key) && this.#found.size < MAX_LINES) {
      this.#found.set(key, this.#blame(file, line));
    }
    return this.#found.get(key);
  }

  #blame(file: string, line: number): LineCommit | undefined {
    if (!this.#folders) return undefined;
    const { revision } = this.#folders;
    if (revision !== undefined) return blame('.', file, line, [revision]);
    return this.#isOnDisk(file, this.#folders)
      ? blame(dirname(file), basename(file), line)
      : undefined;
  }

  /** Whether the file has the text that was read: what was rendered now may differ from the output folder. */
  #isOnDisk(file: string, { folder, shown }: ReadFolders): boolean {
    if (!existsSync(file)) return false;
    if (folder === shown) return true;
    const read = join(folder, relative(shown, file));
    return !existsSync(read) || readFileSync(read, 'utf8') === readFileSync(file, 'utf8');
  }
}

const UNCOMMITTED = /^0+$/;

function blame(
  folder: string,
  file: string,
  line: number,
  revision: readonly string[] = [],
): LineCommit | undefined {
  if (!hasRepository(resolve(folder))) return undefined;
  const args = ['blame', '--porcelain', '-L', `${line},${line}`, ...revision, '--', file];
  const { out } = runGit(args, folder);
  if (out === undefined) return undefined;
  const lines = out.toString().split('\n');
  const id = lines[0]?.split(' ')[0] ?? '';
  const field = (name: string): string =>
    lines.find((one) => one.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  // In a shallow clone Git names the oldest commit for all lines before it.
  const isBoundary = lines.includes('boundary') && isShallow(folder, runGit);
  if (id === '' || UNCOMMITTED.test(id) || isBoundary) return undefined;
  const date = new Date(Number(field('author-time')) * 1000).toISOString().slice(0, 10);
  return { id, author: field('author'), date, subject: field('summary') };
}
