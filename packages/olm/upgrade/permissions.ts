import { valueAt } from '@tenantry/kube/mapping';
import type { Bundle } from '../bundle/bundle.ts';
import {
  computeGainedRights,
  type RightsDifference,
  collectGrants,
} from '../permissions/granted-rights.ts';
import {
  groupRights,
  formatRightsGroup,
  scopeWords,
  type RightsGroup,
} from '@tenantry/kube/rights/groups';
import { explainEscalation } from '@tenantry/kube/rights/escalation';
import { MAX_RIGHTS } from '@tenantry/kube/rights/rights';
import {
  defineUpgradeRules,
  type ChangeReporter,
  type UpgradeCheck,
  type UpgradeFacts,
} from './upgrade-check.ts';

const rules = defineUpgradeRules('permissions', {
  powerful: [
    'permission-powerful',
    'breaking',
    'NEW grants somebody rights with which other rights can be obtained: everything, Secrets, `escalate`, `bind`, `impersonate`, tokens, exec, admission, certificates',
  ],
  gained: ['permission-gained', 'review', 'NEW grants somebody more rights'],
  lost: ['permission-lost', 'fine', 'NEW grants somebody fewer rights'],
  roleGained: [
    'role-bound',
    'breaking',
    'NEW binds somebody to a role that it does not contain: its rules depend on the cluster',
  ],
  roleLost: ['role-unbound', 'fine', 'NEW no longer binds somebody to such a role'],
  tooMany: [
    'permission-count',
    'breaking',
    `rules expand to more than ${MAX_RIGHTS.toLocaleString('en')} rights for somebody and are not compared`,
  ],
  renamed: [
    'service-account-renamed',
    'review',
    'the Deployment runs as another ServiceAccount: bindings of others to the old one do not apply to it',
  ],
});

/** The rules for the rights that NEW grants and OLD does not, and the reverse. */
export const permissionsCheck: UpgradeCheck<UpgradeFacts> = {
  rules: Object.values(rules),
  compare({ bundle: before }, { bundle: after }, report) {
    const renamed = renamedAccounts(before, after);
    const back = new Map([...renamed].map(([now, old]) => [old, now]));
    for (const [now, old] of renamed) {
      report(rules.renamed, now, `takes the place of ${old}`, { before: old, after: now });
    }
    for (const difference of computeGainedRights(before, after, renamed))
      reportGained(difference, report);
    for (const difference of computeGainedRights(after, before, back))
      reportLost(difference, back, report);
  },
};

function reportGained(difference: RightsDifference, report: ChangeReporter): void {
  const { subject, objects, paths, roles, isTooMany } = difference;
  if (isTooMany) {
    const message = `must have at most ${MAX_RIGHTS.toLocaleString('en')} rights, got more: they are not compared`;
    report(rules.tooMany, subject, message);
  }
  const byPower = Map.groupBy(objects, explainEscalation);
  for (const [why, rights] of byPower) {
    for (const group of groupRights(rights)) {
      const rule = why === undefined ? rules.gained : rules.powerful;
      const power = why === undefined ? '' : `: ${why}`;
      report(rule, subject, `${formatPermission(group)}${power}`, { after: group });
    }
  }
  for (const path of paths) {
    report(rules.gained, subject, `may ${pathWords(path)}`, { after: path });
  }
  for (const bound of roles) {
    const message = `is bound to ${bound.role} ${scopeWords[bound.scope]}, which is not in the bundle`;
    report(rules.roleGained, subject, message, { after: bound });
  }
}

function reportLost(
  { subject, objects, paths, roles }: RightsDifference,
  names: ReadonlyMap<string, string>,
  report: ChangeReporter,
): void {
  const of = names.get(subject) ?? subject;
  const byPower = Map.groupBy(objects, explainEscalation);
  for (const rights of byPower.values()) {
    for (const group of groupRights(rights)) {
      report(rules.lost, of, `${formatPermission(group)} no more`, { before: group });
    }
  }
  for (const path of paths)
    report(rules.lost, of, `may ${pathWords(path)} no more`, { before: path });
  for (const bound of roles) {
    const message = `is no longer bound to ${bound.role} ${scopeWords[bound.scope]}`;
    report(rules.roleLost, of, message, { before: bound });
  }
}

function formatPermission(group: RightsGroup): string {
  return `may ${formatRightsGroup(group)} ${scopeWords[group.scope]}`;
}

function pathWords({ verb, path }: RightsDifference['paths'][number]): string {
  return `${verb === '*' ? 'do anything with' : verb} the path ${path}`;
}

/**
 * Returns the ServiceAccounts that replaced others, by the new name. The same Deployment runs as the new one, and each
 * of the two exists in only one of the bundles. Without this, a new name would be reported as a new grant of all
 * rights.
 */
function renamedAccounts(before: Bundle, after: Bundle): Map<string, string> {
  const [olds, news] = [listSubjects(before), listSubjects(after)];
  const accounts = indexAccounts(before);
  const renamed = new Map<string, string>();
  const taken = new Set<string>();
  for (const [deployment, now] of indexAccounts(after)) {
    const old = accounts.get(deployment);
    if (old === undefined || renamed.has(now) || taken.has(old)) continue;
    const isMoved = olds.has(old) && !olds.has(now) && news.has(now) && !news.has(old);
    if (!isMoved) continue;
    renamed.set(now, old);
    taken.add(old);
  }
  return renamed;
}

function listSubjects(bundle: Bundle): ReadonlySet<string> {
  return new Set(collectGrants(bundle).map(({ subject }) => subject));
}

/** Returns the ServiceAccount of each Deployment, sorted by Deployment. */
function indexAccounts({ csv }: Bundle): ReadonlyMap<string, string> {
  const { deployments = [] } = csv?.value.spec?.install?.spec ?? {};
  const accounts = deployments.map(({ name = '', spec }) => {
    const account = valueAt(spec, ['template', 'spec', 'serviceAccountName']);
    return [name, `ServiceAccount ${typeof account === 'string' ? account : 'default'}`] as const;
  });
  return new Map(accounts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
