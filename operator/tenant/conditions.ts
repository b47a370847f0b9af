import { formatFinding } from '../../kube/finding.ts';
import { listed } from '../../kube/problem.ts';
import { nameOf } from '../drift/objectdrift.ts';
import type { SaidCondition } from '../../runtime/conditions/conditions.ts';
import { FINALIZER } from '../leave/departure.ts';
import type { Compared, LeavingTenant, Picture } from './picture.ts';
import type { Reason } from './reasons.ts';

/** Problems that a condition tells. */
const MOST_TOLD = 3;

type Said = Omit<SaidCondition, 'reason' | 'observedGeneration'> & { readonly reason: Reason };

/**
 * What the conditions of a Tenant say of a picture: Ready, whether all is as declared; Drifted, whether
 * something differs that should not; Progressing, whether it is on its way; Degraded, whether a person has to
 * look, since it does not come right by itself.
 */
export function conditionsOf(picture: Picture): readonly Said[] {
  if (picture.type === 'compared') return comparedConditions(picture);
  if (picture.type === 'leaving') return leavingConditions(picture);
  const [reason, message] = unknown(picture);
  const isCordoned = picture.type === 'cordoned';
  return [
    { type: 'Ready', status: isCordoned ? 'Unknown' : 'False', reason, message },
    { type: 'Drifted', status: 'Unknown', reason, message: '' },
    { type: 'Progressing', status: isCordoned ? 'Unknown' : 'False', reason, message: '' },
    { type: 'Degraded', status: isCordoned ? 'Unknown' : 'True', reason, message: '' },
  ];
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
  ];
}

function unknown(
  picture: Exclude<Picture, { type: 'compared' | 'leaving' }>,
): readonly [Reason, string] {
  switch (picture.type) {
    case 'cordoned':
      return ['Cordoned', 'The operator leaves it alone.'];
    case 'refused': {
      const errors = picture.findings.filter(({ severity }) => severity === 'error');
      return ['Refused', first(errors.map((one) => formatFinding(one)))];
    }
    case 'taken': {
      const taken = picture.taken.map(
        ({ namespace, tenant }) => `namespace ${namespace} is tenant ${tenant}'s`,
      );
      return ['NamespaceTaken', first(taken)];
    }
  }
}

function comparedConditions(picture: Compared): readonly Said[] {
  const { drift, following, terminating, namespaces, problems } = picture;
  const asDeclared = namespaces === 0 ? 'NotDeclaredHere' : 'AsDeclared';
  const drifted = drift.length > 0;
  const isStuck = terminating.length > 0;
  const because = (isDrifted: boolean, otherwise: Reason): Reason =>
    isDrifted ? 'Drifted' : otherwise;
  const ending = isStuck ? endingOf(terminating) : '';
  const [problem] = problems;
  const degraded: Reason = isStuck ? 'NamespaceTerminating' : (problem?.reason ?? asDeclared);
  const remaining = problems.filter(({ reason }) => reason === 'AccessRemains');
  const undrifted: Reason = remaining.length > 0 ? 'AccessRemains' : asDeclared;
  const ready: Reason = isStuck
    ? 'NamespaceTerminating'
    : because(drifted, following > 0 ? 'RollingOut' : undrifted);
  return [
    {
      type: 'Ready',
      status: ready === asDeclared ? 'True' : 'False',
      reason: ready,
      message: [
        ending,
        summary(picture),
        first(remaining.map(({ message }) => message)),
        allowance(picture),
      ]
        .filter(Boolean)
        .join('; '),
    },
    {
      type: 'Drifted',
      status: drifted ? 'True' : 'False',
      reason: because(drifted, asDeclared),
      message: drifted ? summary(picture) : '',
    },
    {
      type: 'Progressing',
      status: following > 0 ? 'True' : 'False',
      reason: following > 0 ? 'RollingOut' : asDeclared,
      message: following > 0 ? `${counted(following, 'object')} not yet as declared` : '',
    },
    {
      type: 'Degraded',
      status: degraded === asDeclared ? 'False' : 'True',
      reason: degraded,
      message: [ending, first(problems.map(({ message }) => message))].filter(Boolean).join('; '),
    },
  ];
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
function summary({ drift, following, notCompared }: Compared): string {
  const names = new Set(drift.map(nameOf));
  return [
    drift.length > 0 &&
      `${counted(drift.length, 'difference')} in ${listed([...names].slice(0, 3))}`,
    names.size > 3 && `and ${names.size - 3} more`,
    following > 0 && `${counted(following, 'object')} not yet as declared`,
    ...whyNotCompared(notCompared),
  ]
    .filter(Boolean)
    .join(', ');
}

/** `2 objects not compared (Certificate): the platform does not name their kinds in operator.comparedKinds`. */
function whyNotCompared(notCompared: Compared['notCompared']): readonly string[] {
  const words = {
    NotNamed: 'the platform does not name their kinds in operator.comparedKinds',
    NotRead: 'their kinds are not on the cluster, or may not be read',
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

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
