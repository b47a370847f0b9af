import {
  Authorizer,
  formatSubject,
  isBuiltin,
  isSystemSubject,
  type AuthorizationRequest,
  type Membership,
} from '@tenantry/kube/authorization';
import type { KubeObject } from '@tenantry/kube/object';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { UsageError } from '../../usage-error.ts';
import { listMainline, type FileChange } from './output-history.ts';
import { OutputState } from './output-state.ts';
import type { RecordCache } from './record-cache.ts';
import { formatRange, type CommitRange, type CommittedOutput } from './revisions.ts';

/** A commit at which an answer changes. */
export interface Turn {
  readonly commit: string;
  readonly date: string;
  readonly author: string;
  readonly subject: string;
}

/** A time in which a subject could do something. */
export interface Period {
  readonly cluster: string;
  readonly subject: string;
  /** Whether Kubernetes itself binds the subject. */
  readonly isSystem: boolean;
  /** `unknown`: the role of a binding is not in the files, or others may add rules to it. */
  readonly answer: 'yes' | 'unknown';
  /** Absent if it could before the range. */
  readonly from?: Turn;
  /** Absent if it still can at the end of the range. */
  readonly until?: Turn;
}

/** The subjects of one moment, with their answers. */
type Answers = ReadonlyMap<string, Pick<Period, 'answer' | 'isSystem'>>;

/**
 * Finds everybody who could do something at any time of a range, and in which periods. It evaluates the commits that
 * change the namespace of the request or anything that is cluster-scoped.
 * @throws {UsageError} if a commit of the range cannot be read
 */
export function findPeriods(
  output: CommittedOutput,
  range: CommitRange,
  request: AuthorizationRequest,
  cache: RecordCache,
): Period[] {
  const mainline = listMainline(output, formatRange(range));
  // Without a commit in the range, the state of its end counts for all of it.
  const state = new OutputState(output, mainline, cache, range.tip);
  const namespace = 'path' in request ? undefined : request.namespace;
  const decides = ({ kind, metadata }: KubeObject): boolean =>
    kind !== 'Namespace' && (metadata.namespace === undefined || metadata.namespace === namespace);
  const open = new Map<string, Period>();
  const closed: Period[] = [];
  const update = (cluster: string, answers: Answers, turn: Turn | undefined): void => {
    for (const [key, period] of open) {
      if (period.cluster !== cluster || answers.get(period.subject)?.answer === period.answer)
        continue;
      open.delete(key);
      closed.push({ ...period, ...(turn && { until: turn }) });
    }
    for (const [subject, given] of answers) {
      const key = `${cluster} ${subject}`;
      if (!open.has(key))
        open.set(key, { cluster, subject, ...given, ...(turn && { from: turn }) });
    }
  };
  for (const cluster of state.clusters) {
    update(cluster, answer(state.list(cluster).filter(decides), request), undefined);
  }
  for (const { id, date, author, subject, changes } of mainline) {
    for (const [cluster, some] of state.groupByCluster(changes)) {
      checkReadable(state, some, id);
      state.apply(some);
      const blobs = some.flatMap(({ before, after }) => [before, after]);
      if (!blobs.some((blob) => state.read(blob).some(decides))) continue;
      const answers = answer(state.list(cluster).filter(decides), request);
      update(cluster, answers, { commit: id, date, author, subject });
    }
  }
  return [...closed, ...open.values()].toSorted((a, b) => {
    const key = ({ cluster, subject, from }: Period) => `${cluster} ${subject} ${from?.date ?? ''}`;
    return key(a) < key(b) ? -1 : 1;
  });
}

/** @throws {UsageError} for a file that cannot be read: without its bindings the answers would be wrong */
function checkReadable(state: OutputState, changes: readonly FileChange[], id: string): void {
  for (const { path, after } of changes) {
    if (after === undefined || state.isReadable(after, path)) continue;
    throw new UsageError(
      `--until must be before commit ${id.slice(0, 10)}, which cannot be read: ${escapeForTerminal(path)}`,
    );
  }
}

function answer(objects: readonly KubeObject[], request: AuthorizationRequest): Answers {
  const { grants, unknown } = new Authorizer(objects, { isComplete: false }).findSubjects(request);
  const list = (all: readonly Membership[], given: Period['answer']) =>
    all.map(
      ({ subject, binding }) =>
        [
          formatSubject(subject),
          { answer: given, isSystem: isSystemSubject(subject) && isBuiltin(binding.object) },
        ] as const,
    );
  return new Map([...list(unknown, 'unknown'), ...list(grants, 'yes')]);
}
