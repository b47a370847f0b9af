import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Problem } from '../kube/problem.ts';
import { readOwned } from '../synth/output/ownership.ts';
import { notLooked, type Base } from './base.ts';
import { commitsOf, type Commits } from './base-commits.ts';
import { BaseTree, differences, listing, topOf } from './base-tree.ts';
import { hasRepository, type AskGit } from './git.ts';
import type { GitAhead } from './git-ahead.ts';
import { UsageError } from './usage-error.ts';

/** What a new output is compared with. */
export interface Bases {
  /** Several where the history has several points at which two branches parted. */
  readonly bases: readonly Base[];
  /** What is compared with, or why nothing is. */
  readonly told: ToldBase;
  /** Why nothing is found that disappears, or not all of it. */
  readonly warnings: readonly Problem[];
}

/** The base, as JSON tells it. */
export type ToldBase =
  | { readonly kind: 'git'; readonly revision: string; readonly commits: readonly string[] }
  | { readonly kind: 'disk' }
  | { readonly kind: 'none' };

/**
 * What was committed before: the output folder where HEAD left a revision, or, outside of Git and
 * before the first commit, as it lies on disk. What stands in the way of looking is a warning.
 * @param revision @default - HEAD
 * @throws {UsageError} when the revision was named and cannot be compared with
 */
export function basesOf(out: string, revision: string | undefined, ask: AskGit): Bases {
  const found = lookedUp(out, revision, ask);
  if (typeof found === 'function') return found();
  const { cwd, folder, commits } = found;
  const trees = commits.points.map(
    ({ id, name }) => new BaseTree(cwd, { id, name, folder, out }, ask),
  );
  return inGit(out, trees, commits);
}

/**
 * Begins to ask Git what `basesOf` will ask it of ten thousand files. What is wrong is left to that.
 * @param ahead whose `ask` `basesOf` is then given
 */
export function beginBases(out: string, revision: string | undefined, ahead: GitAhead): void {
  try {
    const found = lookedUp(out, revision, ahead.ask);
    if (typeof found === 'function') return;
    const { cwd, folder, commits } = found;
    const top = topOf(cwd, ahead.ask);
    for (const { id } of commits.points) {
      ahead.begin(listing({ id, folder }), cwd);
      ahead.begin(differences(id), top);
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}

/** Where in Git is looked. */
interface InGit {
  readonly cwd: string;
  /** From the root of the repository. */
  readonly folder: string;
  readonly commits: Commits;
}

/** Where to look in Git, or what there is besides. */
function lookedUp(out: string, revision: string | undefined, ask: AskGit): InGit | (() => Bases) {
  if (revision?.startsWith('-')) {
    throw new UsageError(`--base must be a Git revision, got '${revision}'`);
  }
  const cwd = folderInRepository(out);
  const prefix = ask(['rev-parse', '--show-prefix'], cwd);
  if (prefix.failed !== undefined) return () => withoutGit(out, revision, cwd, prefix.failed);
  const commits = commitsOf(cwd, revision, ask);
  if (commits === 'unborn') return () => onDisk(out, []);
  if (commits === 'none') {
    const message = `${revision} names no commit, as CI says where none came before`;
    return () => ({ bases: [], told: { kind: 'none' }, warnings: [notLooked(message)] });
  }
  const below = relative(cwd, resolve(out)).replaceAll('\\', '/');
  const folder = (prefix.out.toString().replace(/\n$/, '') + below).replace(/\/$/, '');
  return { cwd, folder, commits };
}

function inGit(out: string, trees: readonly BaseTree[], commits: Commits): Bases {
  const bases: Base[] = [];
  const warnings: Problem[] = [];
  for (const tree of trees) {
    if (tree.files.length > 0) {
      bases.push(tree);
      continue;
    }
    const { found, left } = tree.elsewhere();
    bases.push(...found);
    const why = tree.whyEmpty();
    if (found.length === 0 || left.length > 0) {
      const others = left.length > 0 ? `; ${left.join(', ')} is another output in it` : '';
      warnings.push(notLooked(`${tree.name} ${why ?? `has no ${out}`}${others}`));
    }
  }
  if (bases.length === 0) return { bases, told: { kind: 'none' }, warnings };
  const ids = commits.points.map(({ id }) => id);
  return { bases, told: { kind: 'git', revision: commits.revision, commits: ids }, warnings };
}

/**
 * The output itself, which may be a repository of its own, in another one than the working folder,
 * or not exist yet.
 */
function folderInRepository(out: string): string {
  const path = resolve(out);
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  let cwd = isFolder && existsSync(join(path, '.git')) ? path : dirname(path);
  while (!existsSync(cwd)) cwd = dirname(cwd);
  return cwd;
}

function withoutGit(out: string, revision: string | undefined, cwd: string, why: string): Bases {
  const isThere = hasRepository(cwd);
  if (revision !== undefined) {
    const instead = isThere ? `; Git says: ${why}` : '';
    throw new UsageError(
      `--base must be a revision of this Git repository, got '${revision}'${instead}`,
    );
  }
  if (!isThere) return onDisk(out, []);
  return onDisk(out, [notLooked(`Git must tell what was committed, got: ${why}`)]);
}

function onDisk(out: string, warnings: readonly Problem[]): Bases {
  const files = readOwned(out)?.toSorted() ?? [];
  const base: Base = {
    name: out,
    files,
    changed: ({ changes }) => {
      const gone = new Set([...changes.changed, ...changes.removed]);
      return files.filter((path) => gone.has(path));
    },
    read: (paths) =>
      paths
        .filter((path) => existsSync(join(out, path)))
        .map((path) => [path, readFileSync(join(out, path), 'utf8')] as const),
  };
  return { bases: [base], told: { kind: 'disk' }, warnings };
}
