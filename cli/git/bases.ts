import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Problem } from '@tenantry/kube/problem';
import { listGenerated } from '../../synth/output/survey.ts';
import { buildUncheckedWarning, type Base } from './base.ts';
import { findBaseCommits, type BaseCommits } from './base-commits.ts';
import { BaseTree, buildDiffArgs, buildListArgs, findTopFolder } from './base-tree.ts';
import { hasRepository, type RunGit } from './git.ts';
import type { GitAhead } from './git-ahead.ts';
import { UsageError } from '../usage-error.ts';

/** The outputs that a new output is compared with. */
interface Bases {
  /** More than one if the history has several merge bases. */
  readonly bases: readonly Base[];
  /** Describes the base of the comparison, or that there is none. */
  readonly description: BaseDescription;
  /** Reasons why removals cannot be detected, or not all of them. */
  readonly warnings: readonly Problem[];
}

/** The base in JSON output. */
export type BaseDescription =
  | { readonly kind: 'git'; readonly revision: string; readonly commits: readonly string[] }
  | { readonly kind: 'disk' }
  | { readonly kind: 'none' };

/**
 * Finds the committed output: the output folder in the commit where HEAD left a revision. Outside
 * of Git and before the first commit it is the folder on disk. Obstacles become warnings.
 * @param revision @default - HEAD
 * @throws {UsageError} when the user named the revision and it cannot be compared with
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
 * Starts the Git commands that `findBases` needs for ten thousand files. It leaves all errors to
 * `findBases`.
 * @param ahead its `ask` must be passed to `findBases`
 */
export function prefetchBases(out: string, revision: string | undefined, ahead: GitAhead): void {
  try {
    const found = locateBase(out, revision, ahead.ask);
    if (typeof found === 'function') return;
    const { cwd, folder, commits } = found;
    const top = findTopFolder(cwd, ahead.ask);
    for (const { id } of commits.points) {
      ahead.begin(buildListArgs({ id, folder }), cwd);
      ahead.begin(buildDiffArgs(id), top);
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}

/** The folder and the commits in Git to compare with. */
interface GitLocation {
  readonly cwd: string;
  /** Relative to the root of the repository. */
  readonly folder: string;
  readonly commits: BaseCommits;
}

/** Returns the place in Git, or a function that returns the bases without Git. */
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
 * Returns an existing folder of the repository that holds the output. The output may be a repository
 * of its own, lie in another one than the working folder, or not exist yet.
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
  return onDisk(out, [buildUncheckedWarning(`Git must list what was committed, got: ${why}`)]);
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
