import { formatTime } from '@tenantry/kube/time';
import { runGit } from '../../git/git.ts';
import type { CommittedOutput } from './revisions.ts';

/** A commit, and the files of the output that it changes. */
export interface OutputCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** The time of the committer, in UTC: `2026-11-30T12:00:00Z`. */
  readonly date: string;
  readonly author: string;
  readonly committer: string;
  readonly subject: string;
  readonly changes: readonly FileChange[];
}

/** A changed file, with the blobs before and after; absent where there is none. */
export interface FileChange {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** The fields of a commit, each of which ends with NUL. Git allows no NUL in them. */
const FIELDS = ['%H', '%P', '%ct', '%an', '%cn', '%s'];
const format = `--format=${FIELDS.join('%x00')}`;
const raw = ['--raw', '-z', '--no-renames', '--no-abbrev', '--no-ext-diff', '--no-show-signature'];

/**
 * Lists the commits of a branch's own line that change the output, the oldest first. A merge counts with all that it
 * brings.
 * @param range revisions of Git
 */
export function listMainline(
  { top, folder }: CommittedOutput,
  range: readonly string[],
): OutputCommit[] {
  const line = ['--first-parent', '--diff-merges=first-parent', '--reverse'];
  return readLog(top, [...line, ...range], folder);
}

/** Lists the commits that are no merges and change the output, those of merged branches too; newest first. */
export function listSingle(
  { top, folder }: CommittedOutput,
  range: readonly string[],
): OutputCommit[] {
  return readLog(top, ['--no-merges', '--topo-order', ...range], folder);
}

/** Returns the parents of all commits of a range. */
export function listParents(
  { top }: CommittedOutput,
  range: readonly string[],
): Map<string, string[]> {
  const { out } = runGit(['rev-list', '--parents', ...range], top);
  const lines = out?.toString().split('\n').filter(Boolean) ?? [];
  return new Map(
    lines.map((line) => {
      const [id = '', ...parents] = line.split(' ');
      return [id, parents];
    }),
  );
}

function readLog(top: string, args: readonly string[], folder: string): OutputCommit[] {
  const only = folder === '' ? [] : ['--', folder];
  const answer = runGit(
    [
      '-c',
      'log.follow=false',
      '--literal-pathspecs',
      'log',
      '--no-color',
      ...raw,
      format,
      ...args,
      ...only,
    ],
    top,
  );
  if (answer.failed !== undefined) throw new Error(`git log: ${answer.failed}`);
  return parseLog(answer.out.toString());
}

const NONE = /^0+$/;

/** Parses the output of `git log --raw -z` with the format above. */
export function parseLog(text: string): OutputCommit[] {
  const tokens = text.split('\0');
  const commits: OutputCommit[] = [];
  let at = 0;
  // An empty token is between two commits, and at the end.
  while (at + FIELDS.length <= tokens.length) {
    const [id = '', parents = '', time = '', author = '', committer = '', subject = ''] =
      tokens.slice(at, at + FIELDS.length);
    at += FIELDS.length;
    const changes: FileChange[] = [];
    for (; /^\n?:/.test(tokens[at] ?? ''); at += 2) {
      const [, , before = '', after = ''] = tokens[at]!.trim().split(' ');
      changes.push({
        path: tokens[at + 1] ?? '',
        ...(!NONE.test(before) && { before }),
        ...(!NONE.test(after) && { after }),
      });
    }
    while (tokens[at] === '') at += 1;
    commits.push({
      id,
      parents: parents.split(' ').filter(Boolean),
      date: formatTime(new Date(Number(time) * 1000)),
      author,
      committer,
      subject,
      changes,
    });
  }
  return commits;
}
