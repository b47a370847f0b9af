import { LISTED, listLabel } from '../../model/allow-lists/labels.ts';
import { ALLOW_LISTS } from '../../model/allow-lists/lists.ts';
import { CONCERNS, concernLabel, DISABLED, FACTS } from '../../model/ownership.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { definePlanRules, type ReportChange, type ChangeLocation } from './change.ts';
import { filterByKind, type ClusterChange } from './cluster-changes.ts';

const rules = definePlanRules('isolation', {
  lowered: [
    'pod-security-lowered',
    'high',
    'the Pod Security level that a Namespace enforces becomes weaker, or a new Namespace enforces none',
  ],
  raised: [
    'pod-security-raised',
    'medium',
    'the level becomes stricter: running pods may be rejected when they are recreated',
  ],
  taken: ['policy-disabled', 'high', 'a Namespace is excluded from an admission policy'],
  wider: [
    'self-service-widened',
    'medium',
    'an admission policy lets users of a tenant do more: bind a role, name a subject, open their network, create other Services',
  ],
});

export const isolationRules = Object.values(rules);

/** Classifies changes of everything that isolates tenants, except their network. */
export function judgeIsolation({ pairs }: ClusterChange, report: ReportChange): void {
  for (const { where, before, after } of filterByKind(pairs, '', 'Namespace')) {
    if (!after) continue;
    judgePodSecurity(before?.object, after.object, where, report);
    judgeConcerns(before?.object, after.object, where, report);
    if (before) {
      judgeFacts(before.object, after.object, where, report);
      judgeLists(before.object, after.object, where, report);
    }
  }
}

/** The levels, weakest first. Source: https://kubernetes.io/docs/concepts/security/pod-security-standards/ */
export const podSecurityLevels = ['privileged', 'baseline', 'restricted'];
const ENFORCE = 'pod-security.kubernetes.io/enforce';

type Judge = (
  before: KubeObject | undefined,
  after: KubeObject,
  where: ChangeLocation,
  report: ReportChange,
) => void;

const judgePodSecurity: Judge = (before, after, where, report) => {
  const now = readLevel(after);
  const subject = `Namespace ${where.namespace}`;
  if (!before) {
    if (now === 'privileged') {
      report(rules.lowered, subject, 'enforces no Pod Security: any pod may run in it', where);
    }
    return;
  }
  const was = readLevel(before);
  if (was === now) return;
  const rule =
    podSecurityLevels.indexOf(now) < podSecurityLevels.indexOf(was) ? rules.lowered : rules.raised;
  report(rule, 'Pod Security', `${was} -> ${now}`, where);
};

/** Returns the enforced level. A Namespace without the label enforces nothing. */
export function readLevel({ metadata }: KubeObject): string {
  return metadata.labels?.[ENFORCE] ?? 'privileged';
}

const judgeConcerns: Judge = (before, after, where, report) => {
  for (const concern of CONCERNS) {
    const label = concernLabel(concern);
    const isOut = (object: KubeObject | undefined) => object?.metadata.labels?.[label] === DISABLED;
    if (isOut(after) && !isOut(before)) {
      report(
        rules.taken,
        `Namespace ${where.namespace}`,
        `is taken out of the policy ${label}`,
        where,
      );
    }
  }
};

/**
 * Facts that allow a tenant's users to do more when they grow. The other facts repeat what objects
 * declare.
 */
const WIDENING = [
  [FACTS.clusterRoles, 'may bind ClusterRole'],
  [FACTS.subjectPatterns, 'may give access to'],
  [FACTS.ingressFrom, 'may let in'],
  [FACTS.egressTo, 'may let out to'],
  [FACTS.externalIPs, 'may use the external address'],
  [FACTS.externalNames, 'may name the external host'],
] as const;

/** Facts that bound nothing if they are absent. */
const BOUNDED_IF_PRESENT = [
  [FACTS.serviceTypes, 'may create Services of type', 'may create Services of every type'],
  [
    FACTS.loadBalancerClasses,
    'may use load balancers of class',
    'may use load balancers of every class',
  ],
] as const;

const judgeLists: Judge = (before, after, where, report) => {
  for (const list of ALLOW_LISTS) {
    const label = listLabel(list);
    const [was, is] = [before!, after].map(({ metadata }) => metadata.labels?.[label] === LISTED);
    if (!was) continue;
    if (!is) {
      const message = `is taken out of the policy ${label}`;
      report(rules.taken, `Namespace ${where.namespace}`, message, where);
      continue;
    }
    for (const word of listNewWords(before!, after, label))
      report(rules.wider, 'users of the tenant', `may use ${list.what} ${word}`, where);
  }
};

/** Keys of a Namespace that the other judges report, or that repeat other objects. */
export const NAMESPACE_KEYS: ReadonlySet<string> = new Set([
  ENFORCE,
  ...CONCERNS.map(concernLabel),
  FACTS.subjects,
  FACTS.names,
  FACTS.namespaces,
]);

const judgeFacts: Judge = (before, after, where, report) => {
  for (const [fact, may] of WIDENING) {
    for (const word of listNewWords(before!, after, fact))
      report(rules.wider, 'users of the tenant', `${may} ${word}`, where);
  }
  for (const [fact, may, mayAll] of BOUNDED_IF_PRESENT) {
    if (readWords(before!, fact).length === 0) continue;
    if (readWords(after, fact).length === 0) {
      report(rules.wider, 'users of the tenant', mayAll, where);
    }
    for (const word of listNewWords(before!, after, fact))
      report(rules.wider, 'users of the tenant', `${may} ${word}`, where);
  }
};

/** Reads the lines of a fact of a Namespace. */
function readWords({ metadata }: KubeObject, fact: string): readonly string[] {
  return (metadata.annotations?.[fact] ?? '').split('\n').filter(Boolean);
}

/** Lists the lines of a fact that a Namespace did not have before. */
function listNewWords(before: KubeObject, after: KubeObject, fact: string): readonly string[] {
  const old = new Set(readWords(before, fact));
  return [...new Set(readWords(after, fact))].filter((word) => !old.has(word));
}
