import type { RunGit } from './git.ts';
import { UsageError } from './usage-error.ts';

/** The commits of which nothing may disappear. */
export interface BaseCommits {
  /** As it was given. */
  readonly revision: string;
  readonly points: readonly CommitPoint[];
}

export interface CommitPoint {
  /** The whole hash. */
  readonly id: string;
  /** For messages: `HEAD`, or `1a2b3c4, where HEAD left origin/main`. */
  readonly name: string;
}

/** What CI says for the commit before where there is none: the first push, a schedule. */
const NO_COMMIT = /^(?:0{40}|0{64})$/;

/**
 * Where HEAD left a revision: that revision itself when HEAD holds it. What came to the revision
 * after that is not in HEAD, and so does not disappear with it.
 * `unborn`: there is no commit yet. `none`: the revision says that there is none.
 * @throws {UsageError} when the revision was named and cannot be compared with
 */
export function findBaseCommits(
  cwd: string,
  revision: string | undefined,
  ask: RunGit,
): BaseCommits | 'unborn' | 'none' {
  const name = revision ?? 'HEAD';
  if (NO_COMMIT.test(name)) return 'none';
  const id = commitOf(cwd, name, ask);
  if (revision === undefined) {
    return id === undefined ? 'unborn' : { revision: name, points: [{ id, name }] };
  }
  const shallow = isShallow(cwd, ask);
  if (id === undefined) {
    const hint = shallow ? `, which is a shallow clone: ${DEEPEN}` : '';
    throw new UsageError(`--base must be a revision of this Git repository, got '${name}'${hint}`);
  }
  const found = ask(['merge-base', '--all', 'HEAD', id], cwd);
  const points = found.failed === undefined ? found.out.toString().split('\n').filter(Boolean) : [];
  if (points.length === 1 && points[0] === id) return { revision: name, points: [{ id, name }] };
  // What a shallow clone lacks may hold a later point.
  if (shallow) {
    throw new UsageError(
      `--base must be a revision whose common history with HEAD is here, got '${name}' in a shallow clone: ${DEEPEN}`,
    );
  }
  if (points.length === 0) {
    throw new UsageError(`--base must share history with HEAD, got '${name}', which does not`);
  }
  const left = (point: string) => `${point.slice(0, 10)}, where HEAD left ${name}`;
  return { revision: name, points: points.map((point) => ({ id: point, name: left(point) })) };
}

/** What to do about a shallow clone. */
export const DEEPEN = 'fetch all of it (`git fetch --unshallow`, a fetch-depth or GIT_DEPTH of 0)';

function commitOf(cwd: string, name: string, ask: RunGit): string | undefined {
  const { out } = ask(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], cwd);
  return out?.toString().trim();
}

/** Whether a clone lacks commits of long ago. */
export function isShallow(cwd: string, ask: RunGit): boolean {
  const { out } = ask(['rev-parse', '--is-shallow-repository'], cwd);
  return out?.toString().trim() === 'true';
}
