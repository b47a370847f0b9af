import { formatFinding } from '../../kube/finding.ts';
import { listed } from '../../kube/problem.ts';
import { nameOf } from '../drift/object-drift.ts';
import { describeUndeclared } from '../drift/describe-undeclared.ts';
import type { SaidCondition } from '../../runtime/conditions/conditions.ts';
import { FINALIZER } from '../finalize/finalizer-task.ts';
import type { Compared, LeavingTenant, Observation, UnknownTenant } from './observation.ts';
import type { Reason } from './reasons.ts';

/** Problems that a condition tells. */
const MOST_TOLD = 3;

type Said = Omit<SaidCondition, 'reason' | 'observedGeneration'> & { readonly reason: Reason };

/**
 * What the conditions of a Tenant say of an observation: Ready, whether all is as declared; Drifted, whether
 * something differs that should not; Progressing, whether it is on its way; Degraded, whether a person has to
 * look, since it does not come right by itself; Undeclared, whether there is something that nobody declared.
 */
export function conditionsOf(observation: Observation): readonly Said[] {
  if (observation.type === 'compared') return comparedConditions(observation);
  if (observation.type === 'leaving') return leavingConditions(observation);
  if (observation.type === 'unknown') return unknownConditions(observation);
  const [reason, message] = notCompared(observation);
  const isCordoned = observation.type === 'cordoned';
  return [
    { type: 'Ready', status: isCordoned ? 'Unknown' : 'False', reason, message },
    { type: 'Drifted', status: 'Unknown', reason, message: '' },
    { type: 'Progressing', status: isCordoned ? 'Unknown' : 'False', reason, message: '' },
    { type: 'Degraded', status: isCordoned ? 'Unknown' : 'True', reason, message: '' },
    { type: 'Undeclared', status: 'Unknown', reason, message: '' },
  ];
}

function unknownConditions({ reason, message }: UnknownTenant): readonly Said[] {
  return ['Ready', 'Drifted', 'Progressing', 'Degraded', 'Undeclared'].map((type) => ({
    type,
    status: 'Unknown',
    reason,
    message: type === 'Ready' ? message : '',
  }));
}

function leavingConditions({ problems, finalizers, isLong }: LeavingTenant): readonly Said[] {
  const isKept = finalizers.length > 0;
  const reason = isKept ? 'FinalizersRemain' : 'Leaving';
  const own = finalizers.includes(FINALIZER)
    ? `; ${FINALIZER} is left from when the operator healed, and it may not take it off now`
    : '';
  const kept = `being deleted, and kept by the finalizers ${listed(finalizers)}${own}`;
  const message = isKept
    ? kept
    : ['being deleted', first(problems.map(({ message }) => message))].filter(Boolean).join('; ');
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

function notCompared(
  observation: Exclude<Observation, { type: 'compared' | 'leaving' | 'unknown' }>,
): readonly [Reason, string] {
  switch (observation.type) {
    case 'cordoned':
      return ['Cordoned', 'The operator leaves it alone.'];
    case 'refused': {
      const errors = observation.findings.filter(({ severity }) => severity === 'error');
      return ['Refused', first(errors.map((one) => formatFinding(one)))];
    }
    case 'taken': {
      const taken = observation.taken.map(
        ({ namespace, tenant }) => `namespace ${namespace} is tenant ${tenant}'s`,
      );
      return ['NamespaceTaken', first(taken)];
    }
  }
}

function comparedConditions(observation: Compared): readonly Said[] {
  const { drift, following, terminating, namespaces, problems } = observation;
  const asDeclared = namespaces === 0 ? 'NotDeclaredHere' : 'AsDeclared';
  const ending = terminating.length > 0 ? endingOf(terminating) : '';
  const unknown = unknownOf(observation);
  const ready = readyOf(observation, unknown?.reason);
  const readyMessage = [
    ending,
    undeclaredAccess(observation),
    unknown?.message,
    summary(observation),
    first(remainingAccess(observation).map(({ message }) => message)),
    allowance(observation),
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
      : unlessUnknown('Drifted', asDeclared, unknown),
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
          message: [ending, first(problems.map(({ message }) => message))]
            .filter(Boolean)
            .join('; '),
        }
      : unlessUnknown('Degraded', asDeclared, unknown),
    undeclaredCondition(observation, asDeclared, unknown),
  ];
}

/** Why a tenant is not ready, or not known to be; undefined where it is ready. */
function readyOf(observation: Compared, unknown: Reason | undefined): Reason | undefined {
  const { drift, following, terminating, undeclared } = observation;
  if (terminating.length > 0) return 'NamespaceTerminating';
  if (drift.length > 0) return 'Drifted';
  if (undeclared.some(({ givesAccess }) => givesAccess)) return 'UndeclaredAccess';
  if (remainingAccess(observation).length > 0) return 'AccessRemains';
  return unknown ?? (following > 0 ? 'RollingOut' : undefined);
}

/** Bindings made by hand that give access where the lifecycle gives none. */
function remainingAccess({ problems }: Compared): Compared['problems'] {
  return problems.filter(({ reason }) => reason === 'AccessRemains');
}

interface Unknown {
  readonly reason: Reason;
  readonly message: string;
}

/** What keeps the operator from knowing whether all is as declared. */
function unknownOf({ unobserved, notCompared }: Compared): Unknown | undefined {
  if (unobserved.length > 0) return { reason: 'NotObserved', message: first(unobserved) };
  const isUnread = notCompared.some(({ reason }) => reason === 'NotRead');
  // The summary has the kinds.
  return isUnread ? { reason: 'NotRead', message: '' } : undefined;
}

function unlessUnknown(type: string, asDeclared: Reason, unknown: Unknown | undefined): Said {
  if (!unknown) return { type, status: 'False', reason: asDeclared, message: '' };
  return { type, status: 'Unknown', reason: unknown.reason, message: '' };
}

function undeclaredCondition(
  observation: Compared,
  asDeclared: Reason,
  unknown: Unknown | undefined,
): Said {
  const { undeclared } = observation;
  const type = 'Undeclared';
  if (undeclared.length === 0) return unlessUnknown(type, asDeclared, unknown);
  const isAccess = undeclared.some(({ givesAccess }) => givesAccess);
  return {
    type,
    status: 'True',
    reason: isAccess ? 'UndeclaredAccess' : 'Undeclared',
    message: first(undeclared.map(describeUndeclared)),
  };
}

/** What gives access by hand, which comes first among the undeclared. */
function undeclaredAccess({ undeclared }: Compared): string {
  const access = undeclared.filter(({ givesAccess }) => givesAccess);
  return access.length === 0
    ? ''
    : `access that nobody declared: ${first(access.map(describeUndeclared))}`;
}

/** `pay, pay-dev: being deleted (pay waits for NamespaceFinalizersRemaining: ...)`. */
function endingOf(terminating: Compared['terminating']): string {
  const names = listed(terminating.map(({ name }) => name));
  const stuck = terminating.flatMap(({ name, waitsFor }) =>
    waitsFor === undefined ? [] : [`${name} waits for ${waitsFor}`],
  );
  const first = stuck.slice(0, MOST_TOLD).join('; ');
  return `${names}: being deleted${first === '' ? '' : ` (${first})`}`;
}

/** That a tenant asks for more than the platform allows. */
function allowance({ policy, asked }: Compared): string {
  return asked === policy ? '' : `driftPolicy ${asked} is asked for, and ${policy} allowed`;
}

/** The first of some sentences, whole, and how many more there are. */
function first(sentences: readonly string[]): string {
  const told = sentences.slice(0, MOST_TOLD);
  const more = sentences.length - told.length;
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** `2 fields of 1 object differ (RoleBinding pay-prod/edit), 3 objects not yet as declared`. */
function summary({ drift, following, notCompared, unread }: Compared): string {
  const names = new Set(drift.map(nameOf));
  return [
    drift.length > 0 &&
      `${counted(drift.length, 'difference')} in ${listed([...names].slice(0, 3))}`,
    names.size > 3 && `and ${names.size - 3} more`,
    following > 0 && `${counted(following, 'object')} not yet as declared`,
    ...whyNotCompared(notCompared),
    ...whyUnread(unread),
  ]
    .filter(Boolean)
    .join(', ');
}

/** `2 objects not compared (Certificate): the platform does not name their kinds in operator.comparedKinds`. */
function whyNotCompared(notCompared: Compared['notCompared']): readonly string[] {
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

/** `1 object could not be read (NetworkPolicy pay/isolation: Forbidden: ...): it is not known who wrote it`. */
function whyUnread(unread: Compared['unread']): readonly string[] {
  const [one] = unread;
  if (!one) return [];
  const what = `${counted(unread.length, 'object')} could not be read`;
  return [`${what} (${nameOf(one)}: ${one.why}): who wrote it is not known`];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
