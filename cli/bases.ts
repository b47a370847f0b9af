import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Problem } from '../kube/problem.ts';
import { listGenerated } from '../synth/output/survey.ts';
import { buildUncheckedWarning, type Base } from './base.ts';
import { findBaseCommits, type BaseCommits } from './base-commits.ts';
import { BaseTree, buildDiffArgs, buildListArgs, topOf } from './base-tree.ts';
import { hasRepository, type RunGit } from './git.ts';
import type { GitAhead } from './git-ahead.ts';
import { UsageError } from './usage-error.ts';

/** What a new output is compared with. */
export interface Bases {
  /** Several where the history has several points at which two branches parted. */
  readonly bases: readonly Base[];
  /** What is compared with, or why nothing is. */
  readonly description: BaseDescription;
  /** Why nothing is found that disappears, or not all of it. */
  readonly warnings: readonly Problem[];
}

/** The base, as JSON tells it. */
export type BaseDescription =
  | { readonly kind: 'git'; readonly revision: string; readonly commits: readonly string[] }
  | { readonly kind: 'disk' }
  | { readonly kind: 'none' };

/**
 * What was committed before: the output folder where HEAD left a revision, or, outside of Git and
 * before the first commit, as it lies on disk. What stands in the way of looking is a warning.
 * @param revision @default - HEAD
 * @throws {UsageError} when the revision was named and cannot be compared with
 */
export function findBases(out: string, revision: string | undefined, ask: RunGit): Bases {
  const found = locateBase(out, revision, ask);
  if (typeof found === 'function') return found();
  const { cwd, folder, commits } = found;
  const trees = commits.points.map(
    ({ id, name }) => new BaseTree(cwd, { id, name, folder, out }, ask),
  );
  return buildGitBases(out, trees, commits);
}

/**
 * Begins to ask Git what `findBases` will ask it of ten thousand files. What is wrong is left to that.
 * @param ahead whose `ask` `findBases` is then given
 */
export function prefetchBases(out: string, revision: string | undefined, ahead: GitAhead): void {
  try {
    const found = locateBase(out, revision, ahead.ask);
    if (typeof found === 'function') return;
    const { cwd, folder, commits } = found;
    const top = topOf(cwd, ahead.ask);
    for (const { id } of commits.points) {
      ahead.begin(buildListArgs({ id, folder }), cwd);
      ahead.begin(buildDiffArgs(id), top);
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}

/** Where in Git is looked. */
interface GitLocation {
  readonly cwd: string;
  /** From the root of the repository. */
  readonly folder: string;
  readonly commits: BaseCommits;
}

/** Where to look in Git, or what there is besides. */
function locateBase(
  out: string,
  revision: string | undefined,
  ask: RunGit,
): GitLocation | (() => Bases) {
  if (revision?.startsWith('-')) {
    throw new UsageError(`--base must be a Git revision, got '${revision}'`);
  }
  const cwd = folderInRepository(out);
  const prefix = ask(['rev-parse', '--show-prefix'], cwd);
  if (prefix.failed !== undefined)
    return () => buildBasesWithoutGit(out, revision, cwd, prefix.failed);
  const commits = findBaseCommits(cwd, revision, ask);
  if (commits === 'unborn') return () => onDisk(out, []);
  if (commits === 'none') {
    const message = `${revision} names no commit: CI sets this value if there was no previous commit`;
    return () => ({
      bases: [],
      description: { kind: 'none' },
      warnings: [buildUncheckedWarning(message)],
    });
  }
  const below = relative(cwd, resolve(out)).replaceAll('\\', '/');
  const folder = (prefix.out.toString().replace(/\n$/, '') + below).replace(/\/$/, '');
  return { cwd, folder, commits };
}

function buildGitBases(out: string, trees: readonly BaseTree[], commits: BaseCommits): Bases {
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
      warnings.push(buildUncheckedWarning(`${tree.name} ${why ?? `has no ${out}`}${others}`));
    }
  }
  if (bases.length === 0) return { bases, description: { kind: 'none' }, warnings };
  const ids = commits.points.map(({ id }) => id);
  return {
    bases,
    description: { kind: 'git', revision: commits.revision, commits: ids },
    warnings,
  };
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

function buildBasesWithoutGit(
  out: string,
  revision: string | undefined,
  cwd: string,
  why: string,
): Bases {
  const isThere = hasRepository(cwd);
  if (revision !== undefined) {
    const instead = isThere ? `; Git reports: ${why}` : '';
    throw new UsageError(
      `--base must be a revision of this Git repository, got '${revision}'${instead}`,
    );
  }
  if (!isThere) return onDisk(out, []);
  return onDisk(out, [buildUncheckedWarning(`Git must tell what was committed, got: ${why}`)]);
}

function onDisk(out: string, warnings: readonly Problem[]): Bases {
  const files = listGenerated(out);
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
  return { bases: [base], description: { kind: 'disk' }, warnings };
}
