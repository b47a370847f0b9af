import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readOwned } from '../synth/output/ownership.ts';
import { UsageError } from './settings.ts';
import { git } from './git.ts';

/** An earlier output: which files it had, and what was in them. */
export interface Base {
  /** For messages. */
  readonly name: string;
  readonly files: readonly string[];
  read(path: string): string;
}

/**
 * What was committed before: the output folder in a Git revision, or, outside of Git, as it lies on
 * disk.
 * @param revision @default - HEAD
 * @throws {UsageError} when the revision was named and does not exist
 */
export function baseOf(out: string, revision: string | undefined): Base {
  const name = revision ?? 'HEAD';
  if (name.startsWith('-')) throw new UsageError(`--base must be a Git revision, got '${name}'`);
  // The output may be in a repository other than that of the working folder, or not exist yet.
  let cwd = resolve(out, '..');
  while (!existsSync(cwd)) cwd = dirname(cwd);
  const prefix = git(['rev-parse', '--show-prefix'], cwd);
  if (
    prefix !== undefined &&
    git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], cwd) !== undefined
  ) {
    const below = relative(cwd, resolve(out)).replaceAll('\\', '/');
    const folder = prefix.replace(/\n$/, '') + below;
    const tree = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', name, `${folder}/`];
    const listed = git(tree, cwd);
    return {
      name,
      files: (listed ?? '')
        .split('\0')
        .filter(Boolean)
        .map((path) => path.slice(folder.length + 1)),
      read: (path) => git(['show', `${name}:${folder}/${path}`], cwd) ?? '',
    };
  }
  if (revision !== undefined) {
    throw new UsageError(`--base must be a revision of this Git repository, got '${revision}'`);
  }
  return {
    name: out,
    files: readOwned(out) ?? [],
    read: (path) => readFileSync(join(out, path), 'utf8'),
  };
}
