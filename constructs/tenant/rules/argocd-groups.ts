import { errorAt, type Finding } from '../../../kube/finding.ts';
import { formatList, show } from '../../../kube/problem.ts';
import { resolveArgoCDGroup, findGroupFault } from '../argocd-groups.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import { accessLevels } from '../layers/grants.ts';
import type { RuleContext } from './context.ts';

/** Validates that each level includes `get`, which Argo CD requires before any other action. */
export function validateArgoCDRoles({ spec }: TenantClassDeclaration): Finding[] {
  return accessLevels.flatMap((level) => {
    const actions = spec.argocd?.roles?.[level] ?? [];
    if (actions.length === 0 || actions.includes('get')) return [];
    const message = `must hold 'get', without which Argo CD lets nobody do anything, got ${formatList(actions)}`;
    return [errorAt(['spec', 'argocd', 'roles', level], message, 'argocd-role')];
  });
}

/** Validates that groups which get a role in Argo CD have names that Argo CD can hold. */
export function checkArgoCDGroups({ tenant, namespace, report }: RuleContext): void {
  const { klass, argocd, platform } = tenant;
  for (const { level, holders, path, byTenant } of namespace.settings.grants) {
    // Findings about a class are about all of its tenants.
    if (byTenant && argocd.sourceRepos.length === 0) continue;
    if (level === undefined || !klass.spec.argocd?.roles?.[level]?.length) continue;
    for (const name of holders.groups ?? []) {
      const group = resolveArgoCDGroup(name, platform);
      const fault = group === undefined ? undefined : findGroupFault(group);
      if (fault === undefined) continue;
      const message = `must be names ${fault}, since class ${klass.name} gives ${level} a role there (argocd.roles), got ${show(name)}`;
      report([...path, 'groups'], message, 'argocd-group');
    }
  }
}
