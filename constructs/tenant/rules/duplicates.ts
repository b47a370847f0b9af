import { groupOf } from '../../../kube/object.ts';
import { show, type Path } from '../../../kube/problem.ts';
import { findValueSource } from '../resourcepresets/made.ts';
import { listNeighborQuotaNames } from '../neighbor-quotas.ts';
import type { SettingLocation, RuleContext } from './context.ts';

/** An object that a setting renders, and the setting as messages name it. */
interface NamedObject {
  readonly kind: string;
  readonly name: string;
  readonly by: string;
  /** Returns the place; called only for a finding. */
  at(): Path | SettingLocation;
}

/** Reports two settings that render the same object: the second would silently overwrite the first. */
export function checkDuplicates(context: RuleContext): void {
  const seen = new Map<string, string>();
  const given = [...listQuotas(context), ...listPolicies(context), ...listResources(context)];
  for (const { kind, name, by, at } of given) {
    const key = `${kind}/${name}`;
    const other = seen.get(key);
    if (other !== undefined) {
      const got = `${kind} ${show(name)}, which ${other} already gives`;
      context.report(at(), `must have a name of its own, got ${got}`, 'duplicate-object');
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
