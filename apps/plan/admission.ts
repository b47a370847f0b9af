import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { formatPath, type Path } from '@tenantry/kube/problem';
import { readExemptIdentities } from '../../model/policies/policy.ts';
import { definePlanRules, type ChangeLocation, type ReportChange } from './change.ts';
import { listDifferingPaths } from './differing-paths.ts';
import { ADMISSION_GROUP, filterByKind, type ClusterChange } from './cluster-changes.ts';

const rules = definePlanRules('isolation', {
  bypass: [
    'policy-bypass',
    'high',
    'a user or a group may do what admission policies refuse everybody else: the platform file exempts them (`identities`)',
  ],
  bypassEnded: [
    'policy-bypass-ended',
    'low',
    'a user or a group is no longer exempt from admission policies',
  ],
  weakened: [
    'admission-weakened',
    'high',
    'an admission policy or its binding refuses less: an error lets a request pass, a refusal is only reported, or a rule is gone',
  ],
  removed: [
    'admission-removed',
    'high',
    'an admission policy, its binding or a webhook is removed: what it rejected is admitted',
  ],
  changed: [
    'admission-changed',
    'medium',
    'an admission policy, its binding or a webhook changes: it may refuse more, or less',
  ],
  added: [
    'admission-added',
    'medium',
    'an admission policy, its binding or a webhook is new: it may reject what was admitted',
  ],
});

export const admissionRules = Object.values(rules);

const kinds = [
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
];

/** Reports what admission policies and webhooks refuse no longer, newly, or to other people. */
export function judgeAdmission({ cluster, pairs }: ClusterChange, report: ReportChange): void {
  const bypass = new Bypass();
  for (const { where, before, after } of filterByKind(pairs, ADMISSION_GROUP, ...kinds)) {
    const { kind, metadata } = (after ?? before)!.object;
    const subject = `${kind} ${metadata.name}`;
    if (!after) {
      report(rules.removed, subject, 'is removed: what it rejected is admitted', where);
    } else if (!before) report(rules.added, subject, 'is new', where);
    else {
      bypass.compare(before.object, after.object);
      judgePolicy(subject, { before: before.object, after: after.object, where }, report);
    }
  }
  bypass.reportTo(report, { cluster });
}

/** Collects the identities that policies begin or cease to exempt: one change of the platform is in many policies. */
class Bypass {
  readonly #gained = new Map<string, string[]>();
  readonly #lost = new Map<string, string[]>();

  compare(before: KubeObject, after: KubeObject): void {
    const [old, now] = [before, after].map(listExempt);
    if (!old || !now) return;
    const policy = after.metadata.name;
    for (const one of now) if (!old.has(one)) add(this.#gained, one, policy);
    for (const one of old) if (!now.has(one)) add(this.#lost, one, policy);
  }

  reportTo(report: ReportChange, where: ChangeLocation): void {
    for (const [identity, policies] of this.#gained) {
      const message = `may do what the admission policies refuse to others: ${shorten(policies)}`;
      report(rules.bypass, identity, message, where);
    }
    for (const [identity, policies] of this.#lost) {
      const message = `is no longer exempt from the admission policies: ${shorten(policies)}`;
      report(rules.bypassEnded, identity, message, where);
    }
  }
}

function add(map: Map<string, string[]>, identity: string, policy: string): void {
  map.set(identity, [...(map.get(identity) ?? []), policy]);
}

const shorten = (policies: readonly string[]): string =>
  policies.map((name) => name.replace(/\.tenantry\.dev$/, '')).join(', ');

const CONDITIONS = ['spec', 'matchConditions'];

/** Lists whom a policy of Tenantry exempts: `Group admins`. Undefined for a policy of others. */
function listExempt(policy: KubeObject): ReadonlySet<string> | undefined {
  const condition = listAt(policy, CONDITIONS).find(readExemptIdentities);
  const identities = condition === undefined ? undefined : readExemptIdentities(condition);
  return (
    identities &&
    new Set([
      ...identities.users.map((name) => `User ${name}`),
      ...identities.groups.map((name) => `Group ${name}`),
    ])
  );
}

interface ChangedPolicy {
  readonly before: KubeObject;
  readonly after: KubeObject;
  readonly where: ChangeLocation;
}

/** Values with which a policy refuses nothing. */
const weakenings: readonly (readonly [
  path: Path,
  weak: (value: unknown) => boolean,
  message: string,
])[] = [
  [
    ['spec', 'failurePolicy'],
    (value) => value === 'Ignore',
    'admits a request if its expressions fail',
  ],
  [
    ['spec', 'validationActions'],
    (value) => Array.isArray(value) && !value.includes('Deny'),
    'only reports what it refused, and admits it',
  ],
];

function judgePolicy(
  subject: string,
  { before, after, where }: ChangedPolicy,
  report: ReportChange,
): void {
  for (const [path, isWeak, message] of weakenings) {
    if (!isWeak(valueAt(before, path)) && isWeak(valueAt(after, path))) {
      report(rules.weakened, subject, message, where);
    }
  }
  const [old, now] = [before, after].map(listRefusals);
  for (const [text, expression] of old!) {
    if (!now!.has(text)) report(rules.weakened, subject, `no longer refuses: ${text}`, where);
    else if (now!.get(text) !== expression) {
      report(rules.changed, subject, `decides otherwise when to refuse: ${text}`, where);
    }
  }
  for (const text of now!.keys()) {
    if (!old!.has(text)) report(rules.changed, subject, `now refuses: ${text}`, where);
  }
  const others = listOtherChanges(before, after);
  if (others.length > 0) report(rules.changed, subject, `changes at ${others.join(', ')}`, where);
}

/** Returns the validations of a policy: the condition by the message for people. */
function listRefusals(policy: KubeObject): ReadonlyMap<string, string> {
  return new Map(
    listAt(policy, ['spec', 'validations']).flatMap((one): [string, string][] => {
      if (!isMapping(one)) return [];
      const { message, messageExpression, expression } = one;
      const text = String(message ?? messageExpression ?? expression);
      return [[text.length > 160 ? `${text.slice(0, 160)}...` : text, String(expression)]];
    }),
  );
}

/** Fields whose changes are reported by what they mean. */
const REPORTED: ReadonlySet<string> = new Set([
  'failurePolicy',
  'validationActions',
  'validations',
]);

/** Returns the paths of all other changes; those of identities only if they cannot be read on both sides. */
function listOtherChanges(before: KubeObject, after: KubeObject): string[] {
  const isRead = listExempt(before) !== undefined && listExempt(after) !== undefined;
  const [old, now] = isRead ? [before, after].map(withoutExempt) : [before, after];
  return listDifferingPaths(old, now, 2).flatMap((path) => {
    const [first, second] = path.map(String);
    return first === 'spec' && REPORTED.has(second ?? '') ? [] : [formatPath(path)];
  });
}

function withoutExempt(policy: KubeObject): object {
  const matchConditions = listAt(policy, CONDITIONS).filter((one) => !readExemptIdentities(one));
  return { ...policy, spec: { ...(policy['spec'] as object), matchConditions } };
}
