import { applyChanges, type AccessChange } from './access-changes.ts';
import { findMergedCommits } from './merged-commits.ts';
import { listMainline, listParents, listSingle, type OutputCommit } from './output-history.ts';
import { OutputState } from './output-state.ts';
import type { RecordCache } from './record-cache.ts';
import { formatRange, type CommitRange, type CommittedOutput } from './revisions.ts';

/** A commit as a review names it. */
export interface ReviewedCommit {
  readonly id: string;
  readonly date: string;
  readonly author: string;
  readonly subject: string;
}

/** What somebody gained or lost, by whom. */
export interface ReviewedChange extends AccessChange {
  /** When it came to the branch. */
  readonly date: string;
  /** The commit of the branch's own line. */
  readonly commit: string;
  /** The commits that wrote it: of a merge, those of the merged branch. The newest first. */
  readonly authors: readonly ReviewedCommit[];
  /** Who brought it to the branch: the author of the merge, or else the committer. */
  readonly mergedBy: string;
}

/** The result of a review. */
export interface Review {
  readonly changes: readonly ReviewedChange[];
  /** The number of commits that change the output. */
  readonly commits: number;
  /** Files of commits that cannot be read. Their roles and bindings are missing. */
  readonly unread: readonly string[];
}

/** What is remembered of a commit. */
interface CommitRecord {
  readonly changes: readonly ReviewedChange[];
  readonly unread: readonly string[];
}

/** The most commits that are named for a change. */
const MAX_AUTHORS = 5;

/** Lists who gained and lost what by the commits of a range. What was computed for a commit is remembered. */
export function reviewHistory(
  output: CommittedOutput,
  range: CommitRange,
  cache: RecordCache,
): Review {
  const mainline = listMainline(output, formatRange(range));
  const key = ({ id }: OutputCommit): string => `review:${id}:${encodeURIComponent(output.folder)}`;
  const known = mainline.map((commit) => cache.get<CommitRecord>(key(commit)));
  const firstNew = known.findIndex((record) => record === undefined);
  const records = known.slice(0, firstNew < 0 ? undefined : firstNew) as CommitRecord[];
  if (firstNew >= 0) {
    const rest = mainline.slice(firstNew);
    for (const [i, record] of evaluate(output, range, rest, cache).entries()) {
      cache.set(key(rest[i]!), record);
      records.push(record);
    }
  }
  return {
    changes: records.flatMap(({ changes }) => changes),
    commits: mainline.length,
    unread: records.flatMap(({ unread }) => unread),
  };
}

function evaluate(
  output: CommittedOutput,
  range: CommitRange,
  mainline: readonly OutputCommit[],
  cache: RecordCache,
): CommitRecord[] {
  const state = new OutputState(output, mainline, cache);
  const merged = findAuthors(output, range, mainline);
  return mainline.map((commit): CommitRecord => {
    const { changes } = commit;
    const unread = state
      .groupByCluster(changes)
      .flatMap(([, some]) => some)
      .flatMap(({ path, after }) =>
        after === undefined || state.isReadable(after, path)
          ? []
          : [`${path} in ${commit.id.slice(0, 10)}`],
      );
    const found = applyChanges(state, changes).map((change): ReviewedChange => ({
      ...change,
      date: commit.date,
      commit: commit.id,
      authors: selectAuthors(change, commit, merged, state),
      mergedBy: commit.parents.length > 1 ? commit.author : commit.committer,
    }));
    return { changes: found, unread };
  });
}

function findAuthors(
  output: CommittedOutput,
  range: CommitRange,
  mainline: readonly OutputCommit[],
): ReadonlyMap<string, readonly OutputCommit[]> {
  if (mainline.every(({ parents }) => parents.length < 2)) return new Map();
  const revisions = formatRange(range);
  return findMergedCommits(
    range.tip,
    listParents(output, revisions),
    listSingle(output, revisions),
  );
}

/** Returns the commits that changed a file which has objects of the namespace, or any file that the merge changes. */
function selectAuthors(
  { cluster, namespace }: AccessChange,
  commit: OutputCommit,
  merged: ReadonlyMap<string, readonly OutputCommit[]>,
  state: OutputState,
): ReviewedCommit[] {
  const own = merged.get(commit.id) ?? [];
  const holds = (blob: string | undefined): boolean =>
    state.read(blob).some(({ metadata }) => metadata.namespace === namespace);
  const ofCluster = new Map(state.groupByCluster(commit.changes)).get(cluster) ?? [];
  const exact = ofCluster.filter(({ before, after }) => holds(before) || holds(after));
  const paths = new Set((exact.length > 0 ? exact : ofCluster).map(({ path }) => path));
  const writers = own.filter((one) => one.changes.some(({ path }) => paths.has(path)));
  const found = writers.length > 0 ? writers : own;
  return found.length > 0 ? found.slice(0, MAX_AUTHORS).map(pick) : [pick(commit)];
}

const pick = ({ id, date, author, subject }: OutputCommit): ReviewedCommit => ({
  id,
  date,
  author,
  subject,
});
