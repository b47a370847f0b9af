import { A_SUBDOMAIN, isSubdomain } from '@tenantry/kube/names';
import { formatPath, show, type Path } from '@tenantry/kube/problem';
import { groupOf } from '@tenantry/kube/object';
import { resolveBindingName } from '../layers/grants.ts';
import { findValueSource } from '../resource-presets/preset-objects.ts';
import { listNeighborQuotaNames } from '../objects/neighbor-quotas.ts';
import type { RuleContext, SettingLocation, TenantReporter } from './context.ts';
import { defineNamespaceCheck } from './check.ts';

/** Validates the placeholders of a namespace: each has a value, and the result is a valid name. */
export const placeholders = defineNamespaceCheck(
  ['placeholder', 'placeholder-misspelt', 'object-name'],
  (context, report) => {
    reportUnfilled(context, report);
    checkNames(context, report);
  },
);

function checkNames(context: RuleContext, report: TenantReporter<'object-name'>): void {
  const check = (setting: Path, name: string): void => {
    if (isSubdomain(name) || name.includes('{')) return;
    report(context.where(...setting), `must be ${A_SUBDOMAIN}, got ${show(name)}`, 'object-name');
  };
  const { quota, limits, network, serviceAccounts, disruptionBudgets, grants } =
    context.namespace.settings;
  check(['quota', 'name'], quota.name);
  check(['limits', 'name'], limits.name);
  for (const [field, name] of Object.entries(network.policyNames)) {
    check(['network', 'policyNames', field], name);
  }
  for (const { name } of serviceAccounts) check(['serviceAccounts'], name);
  for (const { name } of disruptionBudgets) check(['disruptionBudgets'], name);
  for (const grant of grants) {
    const { length } = resolveBindingName(grant);
    if (length <= MAX_NAME_LENGTH) continue;
    const message = `must give a RoleBinding a name of at most ${MAX_NAME_LENGTH} characters, got ${length}`;
    report(grant.path, message, 'object-name');
  }
}

const MAX_NAME_LENGTH = 253;

/** Reports once that a namespace has no environment, however often its class fills one in. */
function reportUnfilled(
  { tenant, namespace, where }: RuleContext,
  report: TenantReporter<'placeholder' | 'placeholder-misspelt'>,
): void {
  let isReported = false;
  for (const { path, message, rule, lacksEnvironment } of namespace.unfilled) {
    const at = where(...path);
    if (at.by !== 'elsewhere') {
      report(at, message, rule);
    } else if (lacksEnvironment && !isReported) {
      const must = `must have an environment, which class ${tenant.klass.name} fills into ${formatPath(path)}`;
      report(namespace.path, `${must}, got none`, rule);
      isReported = true;
    }
  }
}

/** An object that a setting renders, and the setting as messages name it. */
interface NamedObject {
  readonly kind: string;
  readonly name: string;
  readonly by: string;
  /** Returns the place; called only for a finding. */
  at(): Path | SettingLocation;
}

/** Reports two settings that render the same object: the second would silently overwrite the first. */
export const duplicates = defineNamespaceCheck(['duplicate-object'], checkDuplicates);

function checkDuplicates(context: RuleContext, report: TenantReporter<'duplicate-object'>): void {
  const seen = new Map<string, string>();
  const given = [...listQuotas(context), ...listPolicies(context), ...listResources(context)];
  for (const { kind, name, by, at } of given) {
    const key = `${kind}/${name}`;
    const other = seen.get(key);
    if (other !== undefined) {
      const got = `${kind} ${show(name)}, which ${other} already gives`;
      report(at(), `must have a name of its own, got ${got}`, 'duplicate-object');
    }
    seen.set(key, by);
  }
}

function listQuotas({ namespace, where }: RuleContext): NamedObject[] {
  const { quota } = namespace.settings;
  const kind = 'ResourceQuota';
  const hasOwn = Object.keys(quota.hard).length > 0 || namespace.lifecycle !== 'Active';
  const own = { kind, name: quota.name, by: 'quota', at: () => where('quota', 'name') };
  const scoped = quota.scoped.map(({ name }) => {
    return { kind, name, by: 'quota.scoped', at: () => where('quota', 'scoped') };
  });
  const neighbors = listNeighborQuotaNames(namespace.klass.spec).map((name) => {
    return { kind, name, by: 'the platform', at: () => where('quota') };
  });
  return [...neighbors, ...(hasOwn ? [own] : []), ...scoped];
}

function listPolicies({ namespace, where }: RuleContext): NamedObject[] {
  const { network } = namespace.settings;
  const kind = 'NetworkPolicy';
  const isolated = network.isolation !== 'Open';
  const given = {
    isolation: isolated,
    ingressControllers: isolated && network.ingressControllers === 'Allow',
    monitoring: isolated && network.monitoring === 'Allow',
    egress: network.egress !== 'Open',
  };
  const byField = (['isolation', 'ingressControllers', 'monitoring', 'egress'] as const)
    .filter((field) => given[field])
    .map((field) => {
      const at = () => where('network', 'policyNames', field);
      return { kind, name: network.policyNames[field], by: `network.${field}`, at };
    });
  const byRule = (['allowFrom', 'allowTo', 'policies'] as const).flatMap((field) =>
    (network[field] ?? []).map(({ name }) => {
      return { kind, name, by: `network.${field}`, at: () => where('network', field) };
    }),
  );
  return [...byField, ...byRule];
}

function listResources({ namespace }: RuleContext): NamedObject[] {
  const here = namespace.settings.resources.filter(
    ({ manifest }) => (manifest?.metadata?.namespace ?? namespace.name) === namespace.name,
  );
  return here.map(({ manifest, path, byTenant, origin }) => {
    const group = groupOf(String(manifest?.apiVersion));
    const kind = group === '' ? `${manifest?.kind}` : `${manifest?.kind}.${group}`;
    const name = String(manifest?.metadata?.name);
    const at = () => {
      if (!origin || !byTenant) return path;
      const { values } = findValueSource(origin, ['metadata', 'name']);
      return [...path, ...(values ? ['values', ...values] : ['preset'])];
    };
    return { kind, name, by: 'another entry of resources', at };
  });
}
