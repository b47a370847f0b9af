import { levels, type Level } from '../../../kube/cluster-roles.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import type { TenantClassDeclaration } from '../declaration.ts';

/** Resolves the ClusterRoles behind admins, editors and viewers. */
export function resolveAccessRoles({
  roles: { applications: _machine, ...people } = {},
}: TenantClassSpec) {
  return { admins: 'admin', editors: 'edit', viewers: 'view', ...people };
}

/** Returns the ClusterRole of the account as which Argo CD syncs Applications of tenants. */
export function resolveApplicationsRole(klass: TenantClassSpec): string {
  return klass.roles?.applications ?? resolveAccessRoles(klass).editors;
}

/** Lists the ClusterRoles that a tenant of the class may bind inside its namespaces. */
export function listBindableRoles(klass: TenantClassSpec): readonly string[] {
  return [...Object.values(resolveAccessRoles(klass)), ...(klass.allow?.clusterRoles ?? [])];
}

/** Returns the highest of Kubernetes' own ClusterRoles among them. */
export function findHighestBindableRole(klass: TenantClassSpec): Level | undefined {
  const given = new Set(listBindableRoles(klass));
  return levels.findLast((level) => given.has(level));
}

/**
 * Lists the ClusterRoles that tenants of any of these classes may bind, including those of exceptions and of the
 * accounts that sync; never cluster-admin. Sorted by name.
 */
export function listAllBindableRoles(
  classes: readonly TenantClassDeclaration[],
): readonly string[] {
  const all = classes.flatMap(({ spec }) => [
    ...listBindableRoles(spec),
    resolveApplicationsRole(spec),
    ...(spec.exceptions ?? []).flatMap(({ allow }) => allow?.clusterRoles ?? []),
  ]);
  return [...new Set(all)].filter((name) => name !== 'cluster-admin').toSorted();
}
