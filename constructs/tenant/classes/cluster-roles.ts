import { levels, type Level } from '../../../kube/cluster-roles.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import type { TenantClassDeclaration } from '../declaration.ts';

/** The ClusterRoles behind admins, editors and viewers. */
export function accessRoles({
  roles: { applications: _machine, ...people } = {},
}: TenantClassSpec) {
  return { admins: 'admin', editors: 'edit', viewers: 'view', ...people };
}

/** The ClusterRole of the account as which Argo CD syncs Applications of tenants. */
export function applicationsRole(klass: TenantClassSpec): string {
  return klass.roles?.applications ?? accessRoles(klass).editors;
}

/** The ClusterRoles that a tenant of the class may bind inside its namespaces. */
export function bindable(klass: TenantClassSpec): readonly string[] {
  return [...Object.values(accessRoles(klass)), ...(klass.allow?.clusterRoles ?? [])];
}

/** The highest of Kubernetes' own ClusterRoles among them. */
export function highestBindable(klass: TenantClassSpec): Level | undefined {
  const given = new Set(bindable(klass));
  return levels.findLast((level) => given.has(level));
}

/**
 * The ClusterRoles that tenants of any of these classes may have bound, with what exceptions add, and
 * those of the accounts that sync; never cluster-admin. By name.
 */
export function bindableOfAll(classes: readonly TenantClassDeclaration[]): readonly string[] {
  const all = classes.flatMap(({ spec }) => [
    ...bindable(spec),
    applicationsRole(spec),
    ...(spec.exceptions ?? []).flatMap(({ allow }) => allow?.clusterRoles ?? []),
  ]);
  return [...new Set(all)].filter((name) => name !== 'cluster-admin').toSorted();
}
