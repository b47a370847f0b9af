import { A_SUBDOMAIN, isSubdomain } from '../../../kube/names.ts';
import { formatPath, show, type Path } from '../../../kube/problem.ts';
import { resolveBindingName } from '../layers/grants.ts';
import type { RuleContext } from './context.ts';

/** Validates the placeholders of a namespace: each has a value, and the result is a valid name. */
export function checkPlaceholders(context: RuleContext): void {
  reportUnfilled(context);
  const { quota, limits, network, serviceAccounts, disruptionBudgets, grants } =
    context.namespace.settings;
  checkName(context, ['quota', 'name'], quota.name);
  checkName(context, ['limits', 'name'], limits.name);
  for (const [field, name] of Object.entries(network.policyNames)) {
    checkName(context, ['network', 'policyNames', field], name);
  }
  for (const { name } of serviceAccounts) checkName(context, ['serviceAccounts'], name);
  for (const { name } of disruptionBudgets) checkName(context, ['disruptionBudgets'], name);
  for (const grant of grants) {
    const { length } = resolveBindingName(grant);
    if (length <= MOST) continue;
    const message = `must give a RoleBinding a name of at most ${MOST} characters, got ${length}`;
    context.report(grant.path, message, 'object-name');
  }
}

const MOST = 253;

/** Reports once that a namespace has no environment, however often its class fills one in. */
function reportUnfilled({ tenant, namespace, where, report }: RuleContext): void {
  let isReported = false;
  for (const { path, message, rule, severity, lacksEnvironment } of namespace.unfilled) {
    const at = where(...path);
    if (at.by !== 'elsewhere') {
      report(at, message, rule, severity === 'warning' ? { severity } : undefined);
    } else if (lacksEnvironment && !isReported) {
      const must = `must have an environment, which class ${tenant.klass.name} fills into ${formatPath(path)}`;
      report(namespace.path, `${must}, got none`, rule);
      isReported = true;
    }
  }
}

function checkName({ where, report }: RuleContext, setting: Path, name: string): void {
  if (isSubdomain(name) || name.includes('{')) return;
  report(where(...setting), `must be ${A_SUBDOMAIN}, got ${show(name)}`, 'object-name');
}
