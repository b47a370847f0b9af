import type { RunGit } from './git.ts';
import { UsageError } from '../usage-error.ts';

/** The commits from which nothing may disappear without being retired. */
export interface BaseCommits {
  /** The revision as the user gave it. */
  readonly revision: string;
  readonly points: readonly CommitPoint[];
}

interface CommitPoint {
  /** The whole hash. */
  readonly id: string;
  /** The name for messages: `HEAD`, or `1a2b3c4, where HEAD left origin/main`. */
  readonly name: string;
}

/** Matches the null hash, which CI sets if there is no previous commit: on the first push or a schedule. */
const NO_COMMIT = /^(?:0{40}|0{64})$/;

/**
 * Finds the commits where HEAD left a revision, or the revision itself if HEAD contains it. Later
 * commits of the revision are not in HEAD, so their objects do not count as removed. `unborn`: the
 * repository has no commit yet. `none`: the revision is the null hash.
 * @throws {UsageError} when the user named the revision and it cannot be compared with
 */
export function findBaseCommits(
  cwd: string,
  revision: string | undefined,
  ask: RunGit,
): BaseCommits | 'unborn' | 'none' {
  const name = revision ?? 'HEAD';
  if (NO_COMMIT.test(name)) return 'none';
  const id = resolveCommit(cwd, name, ask);
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
  // The commits that a shallow clone lacks may hold a later merge base.
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

/** The advice for a shallow clone. */
export const DEEPEN = 'fetch all of it (`git fetch --unshallow`, a fetch-depth or GIT_DEPTH of 0)';

/** Returns the hash of the commit that a revision names; undefined if there is none. */
export function resolveCommit(cwd: string, name: string, ask: RunGit): string | undefined {
  const { out } = ask(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], cwd);
  return out?.toString().trim();
}

/** Whether a clone lacks older commits. */
export function isShallow(cwd: string, ask: RunGit): boolean {
  const { out } = ask(['rev-parse', '--is-shallow-repository'], cwd);
  return out?.toString().trim() === 'true';
}
