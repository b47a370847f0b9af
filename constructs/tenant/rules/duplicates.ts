import { groupOf } from '../../../kube/object.ts';
import { show, type Path } from '../../../kube/problem.ts';
import type { RuleContext } from './context.ts';

/** Two settings that give one object: the second would overwrite the first without a word. */
export function duplicateRules({ namespace, where, report }: RuleContext): void {
  const { quota, network, resources } = namespace.settings;
  const seen = new Map<string, string>();
  const claim = (kind: string, name: string, by: string, at: Path): void => {
    const key = `${kind}/${name}`;
    const other = seen.get(key);
    if (other !== undefined) {
      report(
        at,
        `must have a name of its own, got ${kind} ${show(name)}, which ${other} gives already`,
        'duplicate-object',
      );
    }
    seen.set(key, by);
  };
  if (Object.keys(quota.hard).length > 0 || namespace.lifecycle !== 'Active')
    claim('ResourceQuota', quota.name, 'quota', where('quota', 'name'));
  for (const { name } of quota.scoped)
    claim('ResourceQuota', name, 'quota.scoped', where('quota', 'scoped'));
  const names = network.policyNames;
  const given = {
    isolation: network.isolation !== 'Open',
    ingressControllers: network.isolation !== 'Open' && network.ingressControllers === 'Allow',
    monitoring: network.isolation !== 'Open' && network.monitoring === 'Allow',
    egress: network.egress !== 'Open',
  };
  for (const field of ['isolation', 'ingressControllers', 'monitoring', 'egress'] as const) {
    if (given[field]) {
      claim(
        'NetworkPolicy',
        names[field],
        `network.${field}`,
        where('network', 'policyNames', field),
      );
    }
  }
  for (const field of ['allowFrom', 'allowTo', 'policies'] as const) {
    for (const { name } of network[field] ?? []) {
      claim('NetworkPolicy', name, `network.${field}`, where('network', field));
    }
  }
  for (const { manifest, path } of resources) {
    const to = manifest?.metadata?.namespace ?? namespace.name;
    if (to !== namespace.name) continue;
    const group = groupOf(String(manifest?.apiVersion));
    const kind = group === '' ? `${manifest?.kind}` : `${manifest?.kind}.${group}`;
    claim(kind, String(manifest?.metadata?.name), 'another entry of resources', path);
  }
}
