import { formatFinding } from '@tenantry/kube/finding';
import { formatList } from '@tenantry/kube/problem';
import { formatObjectName } from '../drift/object-drift.ts';
import { describeUndeclared } from '../drift/undeclared-objects.ts';
import type { ConditionInput } from '@tenantry/runtime/conditions/conditions';
import { FINALIZER } from '../finalize/finalizer-task.ts';
import type {
  ComparedTenant,
  DeletingTenant,
  Observation,
  UnknownTenant,
  Reason,
} from './observation.ts';

/** The most problems that a condition lists. */
const MAX_LISTED = 3;

type TenantCondition = Omit<ConditionInput, 'reason' | 'observedGeneration'> & {
  readonly reason: Reason;
};

/**
 * Builds the conditions of a Tenant from an observation.
 *
 * - `Ready`: everything is as declared.
 * - `Drifted`: something differs from the declaration and should not.
 * - `Progressing`: a rollout is in progress.
 * - `Degraded`: a person has to act, because it does not recover by itself.
 * - `Undeclared`: there are undeclared objects.
 */
export function buildConditions(observation: Observation): readonly TenantCondition[] {
  if (observation.type === 'compared') return comparedConditions(observation);
  if (observation.type === 'leaving') return leavingConditions(observation);
  if (observation.type === 'unknown') return unknownConditions(observation);
  const [reason, message] = explainNoComparison(observation);
  const isCordoned = observation.type === 'cordoned';
  return [
    { type: 'Ready', status: isCordoned ? 'Unknown' : 'False', reason, message },
    { type: 'Drifted', status: 'Unknown', reason, message: '' },
    { type: 'Progressing', status: isCordoned ? 'Unknown' : 'False', reason, message: '' },
    { type: 'Degraded', status: isCordoned ? 'Unknown' : 'True', reason, message: '' },
    { type: 'Undeclared', status: 'Unknown', reason, message: '' },
  ];
}

function unknownConditions({ reason, message }: UnknownTenant): readonly TenantCondition[] {
  return ['Ready', 'Drifted', 'Progressing', 'Degraded', 'Undeclared'].map((type) => ({
    type,
    status: 'Unknown',
    reason,
    message: type === 'Ready' ? message : '',
  }));
}

function leavingConditions({
  problems,
  finalizers,
  isLong,
}: DeletingTenant): readonly TenantCondition[] {
  const isKept = finalizers.length > 0;
  const reason = isKept ? 'FinalizersRemain' : 'Leaving';
  const own = finalizers.includes(FINALIZER)
    ? `; ${FINALIZER} remains from a time when the operator healed, and it may no longer remove it`
    : '';
  const kept = `being deleted, and kept by the finalizers ${formatList(finalizers)}${own}`;
  const message = isKept
    ? kept
    : ['being deleted', joinFirst(problems.map(({ message }) => message))]
        .filter(Boolean)
        .join('; ');
  const [problem] = problems;
  const degraded = problem?.reason ?? reason;
  const isDegraded = problem !== undefined || isLong;
  return [
    { type: 'Ready', status: 'False', reason, message },
    { type: 'Drifted', status: 'Unknown', reason, message: '' },
    { type: 'Progressing', status: isDegraded ? 'False' : 'True', reason, message: '' },
    {
      type: 'Degraded',
      status: isDegraded ? 'True' : 'False',
      reason: degraded,
      message: isDegraded ? message : '',
    },
    { type: 'Undeclared', status: 'Unknown', reason, message: '' },
  ];
}

function explainNoComparison(
  observation: Exclude<Observation, { type: 'compared' | 'leaving' | 'unknown' }>,
): readonly [Reason, string] {
  switch (observation.type) {
    case 'cordoned':
      return ['Cordoned', 'The operator leaves it alone.'];
    case 'refused': {
      const errors = observation.findings.filter(({ severity }) => severity === 'error');
      return ['Refused', joinFirst(errors.map((one) => formatFinding(one)))];
    }
    case 'taken': {
      const taken = observation.taken.map(
        ({ namespace, tenant }) => `namespace ${namespace} is tenant ${tenant}'s`,
      );
      return ['NamespaceTaken', joinFirst(taken)];
    }
  }
}

function comparedConditions(observation: ComparedTenant): readonly TenantCondition[] {
  const { drift, following, terminating, namespaces, problems } = observation;
  const asDeclared = namespaces === 0 ? 'NotDeclaredHere' : 'AsDeclared';
  const ending = terminating.length > 0 ? describeTermination(terminating) : '';
  const unknown = findUnknownState(observation);
  const ready = findUnreadyReason(observation, unknown?.reason);
  const readyMessage = [
    ending,
    undeclaredAccess(observation),
    unknown?.message,
    summary(observation),
    joinFirst(remainingAccess(observation).map(({ message }) => message)),
    ready === undefined ? '' : joinFirst(observation.ended ?? []),
    allowance(observation),
    joinFirst(observation.notices ?? []),
  ];
  const degraded: Reason | undefined = ending === '' ? problems[0]?.reason : 'NamespaceTerminating';
  return [
    {
      type: 'Ready',
      status: ready === undefined ? 'True' : ready === unknown?.reason ? 'Unknown' : 'False',
      reason: ready ?? asDeclared,
      message: readyMessage.filter(Boolean).join('; '),
    },
    drift.length > 0
      ? { type: 'Drifted', status: 'True', reason: 'Drifted', message: summary(observation) }
      : buildFalseUnlessUnknown('Drifted', asDeclared, unknown),
    {
      type: 'Progressing',
      status: following > 0 ? 'True' : 'False',
      reason: following > 0 ? 'RollingOut' : asDeclared,
      message: following > 0 ? `${counted(following, 'object')} not yet as declared` : '',
    },
    degraded !== undefined
      ? {
          type: 'Degraded',
          status: 'True',
          reason: degraded,
          message: [ending, joinFirst(problems.map(({ message }) => message))]
            .filter(Boolean)
            .join('; '),
        }
      : buildFalseUnlessUnknown('Degraded', asDeclared, unknown),
    undeclaredCondition(observation, asDeclared, unknown),
  ];
}

/** Returns why a tenant is not ready or of unknown readiness; undefined if it is ready. */
function findUnreadyReason(
  observation: ComparedTenant,
  unknown: Reason | undefined,
): Reason | undefined {
  const { drift, following, terminating, undeclared } = observation;
  if (terminating.length > 0) return 'NamespaceTerminating';
  if (drift.length > 0) return 'Drifted';
  if (undeclared.some(({ givesAccess }) => givesAccess)) return 'UndeclaredAccess';
  if (remainingAccess(observation).length > 0) return 'AccessRemains';
  return unknown ?? (following > 0 ? 'RollingOut' : undefined);
}

/** Returns the undeclared bindings that grant access where the lifecycle grants none. */
function remainingAccess({ problems }: ComparedTenant): ComparedTenant['problems'] {
  return problems.filter(({ reason }) => reason === 'AccessRemains');
}

interface Unknown {
  readonly reason: Reason;
  readonly message: string;
}

/** Returns what keeps the operator from knowing whether everything is as declared. */
function findUnknownState({ unobserved, notCompared }: ComparedTenant): Unknown | undefined {
  if (unobserved.length > 0) return { reason: 'NotObserved', message: joinFirst(unobserved) };
  const isUnread = notCompared.some(({ reason }) => reason === 'NotRead');
  // The summary names the kinds.
  return isUnread ? { reason: 'NotRead', message: '' } : undefined;
}

function buildFalseUnlessUnknown(
  type: string,
  asDeclared: Reason,
  unknown: Unknown | undefined,
): TenantCondition {
  if (!unknown) return { type, status: 'False', reason: asDeclared, message: '' };
  return { type, status: 'Unknown', reason: unknown.reason, message: '' };
}

function undeclaredCondition(
  observation: ComparedTenant,
  asDeclared: Reason,
  unknown: Unknown | undefined,
): TenantCondition {
  const { undeclared } = observation;
  const type = 'Undeclared';
  if (undeclared.length === 0) return buildFalseUnlessUnknown(type, asDeclared, unknown);
  const isAccess = undeclared.some(({ givesAccess }) => givesAccess);
  return {
    type,
    status: 'True',
    reason: isAccess ? 'UndeclaredAccess' : 'Undeclared',
    message: joinFirst(undeclared.map(describeUndeclared)),
  };
}

/** Describes undeclared access, which comes first among the undeclared objects. */
function undeclaredAccess({ undeclared }: ComparedTenant): string {
  const access = undeclared.filter(({ givesAccess }) => givesAccess);
  return access.length === 0
    ? ''
    : `access that nobody declared: ${joinFirst(access.map(describeUndeclared))}`;
}

/** `pay, pay-dev: being deleted (pay waits for NamespaceFinalizersRemaining: ...)`. */
function describeTermination(terminating: ComparedTenant['terminating']): string {
  const names = formatList(terminating.map(({ name }) => name));
  const stuck = terminating.flatMap(({ name, waitsFor }) =>
    waitsFor === undefined ? [] : [`${name} waits for ${waitsFor}`],
  );
  const first = stuck.slice(0, MAX_LISTED).join('; ');
  return `${names}: being deleted${first === '' ? '' : ` (${first})`}`;
}

/** Reports that a tenant requests more than the platform allows. */
function allowance({ policy, requested }: ComparedTenant): string {
  return requested === policy
    ? ''
    : `driftPolicy ${requested} is requested, but only ${policy} is allowed`;
}

/** Joins the first sentences, uncut, and the number of further ones. */
function joinFirst(sentences: readonly string[]): string {
  const listed = sentences.slice(0, MAX_LISTED);
  const more = sentences.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** `2 differences in RoleBinding pay-prod/edit, 3 objects not yet as declared`. */
function summary({ drift, following, notCompared, unread }: ComparedTenant): string {
  const names = new Set(drift.map(formatObjectName));
  return [
    drift.length > 0 &&
      `${counted(drift.length, 'difference')} in ${formatList([...names].slice(0, 3))}`,
    names.size > 3 && `and ${names.size - 3} more`,
    following > 0 && `${counted(following, 'object')} not yet as declared`,
    ...whyNotCompared(notCompared),
    ...whyUnread(unread),
  ]
    .filter(Boolean)
    .join(', ');
}

/** `2 objects not compared (Certificate): the platform does not name their kinds in operator.comparedKinds`. */
function whyNotCompared(notCompared: ComparedTenant['notCompared']): readonly string[] {
  const words = {
    NotNamed: 'the platform does not name their kinds in operator.comparedKinds',
    NotRead: 'their kinds are not on the cluster, or cannot be read',
  } as const;
  return (['NotNamed', 'NotRead'] as const).flatMap((reason) => {
    const kinds = notCompared.filter((one) => one.reason === reason);
    if (kinds.length === 0) return [];
    const count = kinds.reduce((sum, { objects }) => sum + objects, 0);
    const names = [...new Set(kinds.map(({ kind }) => kind))];
    const more = names.length > 3 ? ', ...' : '';
    const which = `${names.slice(0, 3).join(', ')}${more}`;
    return [`${counted(count, 'object')} not compared (${which}): ${words[reason]}`];
  });
}

/** `1 object could not be read (NetworkPolicy pay/isolation: Forbidden: ...): who wrote it is not known`. */
function whyUnread(unread: ComparedTenant['unread']): readonly string[] {
  const [one] = unread;
  if (!one) return [];
  const what = `${counted(unread.length, 'object')} could not be read`;
  return [`${what} (${formatObjectName(one)}: ${one.why}): who wrote it is not known`];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
