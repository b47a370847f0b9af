import type { Path } from '../../kube/problem.ts';
import type { Access, Holders, PolicyRule } from '../../crds/tenantry/access.ts';
import type { Lifecycle } from '../../crds/tenantry/settings.ts';
import type { TenantClassSpec } from '../../crds/tenantry/tenantclass.ts';
import type { Layer, UnknownPreset } from './layer.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** Some subjects get one role. */
export interface Grant {
  readonly role: { readonly kind: 'ClusterRole' | 'Role'; readonly name: string };
  readonly bindingName?: string;
  readonly holders: Holders;
  readonly byTenant: boolean;
  readonly path: Path;
}

/** A Role inside the namespaces. */
export interface RoleDeclaration {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** From a preset of the class, whose rules the platform answers for. */
  readonly preset: boolean;
  readonly path: Path;
}

const groups = ['admins', 'editors', 'viewers'] as const;

/**
 * Who gets which role, from every layer: access adds up. The bindingName of admins, editors and
 * viewers is a scalar, so that the highest layer that says one says it for all.
 * @param namespace what `{namespace}` in a bindingName stands for
 */
export function grantsOf(
  layers: readonly Layer[],
  klass: TenantClassSpec,
  namespace: string,
): Grant[] {
  const grants: Grant[] = [];
  const grant = (
    role: Grant['role'],
    holders: Holders,
    name: string | undefined,
    layer: Layer,
    ...at: Path
  ) =>
    grants.push({
      role,
      holders,
      byTenant: layer.byTenant,
      path: layer.byTenant ? [...layer.path, 'access', ...at] : layer.path,
      ...(name !== undefined && { bindingName: name.replaceAll('{namespace}', namespace) }),
    });
  const clusterRoles = accessRoles(klass);
  const names = Object.fromEntries(
    groups.map((group) => [
      group,
      layers.findLast(({ settings }) => settings.access?.[group]?.bindingName)?.settings.access?.[
        group
      ]?.bindingName,
    ]),
  );
  for (const layer of layers) {
    const access: Access = layer.settings.access ?? {};
    for (const group of groups) {
      const role = { kind: 'ClusterRole' as const, name: clusterRoles[group] };
      if (access[group]) grant(role, access[group], names[group], layer, group);
    }
    access.clusterRoles?.forEach((entry, i) => {
      const role = { kind: 'ClusterRole' as const, name: entry.name };
      grant(role, entry, entry.bindingName, layer, 'clusterRoles', i);
    });
    access.roles?.forEach((entry, i) => {
      const preset = klass.presets?.roles?.find(({ name }) => name === entry.preset);
      const role = { kind: 'Role' as const, name: entry.name ?? entry.preset! };
      grant(role, entry, entry.bindingName ?? preset?.bindingName, layer, 'roles', i);
    });
  }
  return grants;
}

/** The ClusterRoles behind admins, editors and viewers. */
export function accessRoles(klass: TenantClassSpec) {
  return { admins: 'admin', editors: 'edit', viewers: 'view', ...klass.roles };
}

/** The ClusterRoles that a tenant of the class may bind inside its namespaces. */
export function bindable(klass: TenantClassSpec): readonly string[] {
  return [...Object.values(accessRoles(klass)), ...(klass.allow?.clusterRoles ?? [])];
}

/** The Roles that a layer declares; rules come from the entry or from a preset of the class. */
export function rolesOf(
  layer: Layer,
  { presets }: TenantClassSpec,
  unknownPreset: UnknownPreset,
): RoleDeclaration[] {
  return (layer.settings.access?.roles ?? []).map((entry, i) => {
    const path: Path = layer.byTenant ? [...layer.path, 'access', 'roles', i] : layer.path;
    const preset = presets?.roles?.find(({ name }) => name === entry.preset);
    if (entry.preset !== undefined && !preset) {
      const known = (presets?.roles ?? []).map(({ name }) => name);
      unknownPreset(layer.byTenant ? [...path, 'preset'] : path, entry.preset, known);
    }
    return {
      name: entry.name ?? entry.preset!,
      rules: preset?.rules ?? entry.rules ?? [],
      preset: preset !== undefined || !layer.byTenant,
      path,
    };
  });
}

/** The name of a grant's RoleBinding; one that is not given holds the role, because roleRef is immutable. */
export function bindingNameOf({ role, bindingName }: Pick<Grant, 'role' | 'bindingName'>): string {
  return bindingName ?? `tenant-${role.kind.toLowerCase()}-${role.name}`;
}

/** Subjects by an identity of kind, namespace and name: two accounts of one name stay two. */
export function subjectsOf(
  { holders, byTenant }: Pick<Grant, 'holders' | 'byTenant'>,
  lifecycle: Lifecycle,
): [string, object][] {
  const people = (kind: 'User' | 'Group', names: readonly string[] = []): [string, object][] =>
    names.map((name) => [`${kind} ${name}`, { apiGroup: RBAC_GROUP, kind, name }]);
  return [
    ...(lifecycle === 'Active' || !byTenant
      ? [...people('User', holders.users), ...people('Group', holders.groups)]
      : []),
    ...(holders.serviceAccounts ?? []).map(({ name, namespace }): [string, object] => [
      `ServiceAccount ${namespace}/${name}`,
      { kind: 'ServiceAccount', name, namespace },
    ]),
  ];
}
