import { entryOf } from '../../../kube/mapping.ts';
import type { Path } from '../../../kube/problem.ts';
import type { Access, Holders, PolicyRule } from '../../../crds/tenantry/access.ts';
import type { Lifecycle } from '../../../crds/tenantry/settings.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import { resolveAccessRoles, resolveApplicationsRole } from '../classes/cluster-roles.ts';
import type { Layer, UnknownPresetReporter } from './layer.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** Some subjects get one role. */
export interface Grant {
  readonly role: { readonly kind: 'ClusterRole' | 'Role'; readonly name: string };
  readonly bindingName?: string;
  readonly holders: Holders;
  readonly byTenant: boolean;
  readonly path: Path;
  /** Absent where it is for a role that `access` names. */
  readonly level?: AccessLevel;
  /** It is for the account as which Argo CD syncs: no person gives it to others. */
  readonly isSync?: true;
}

/** A Role inside the namespaces. */
export interface RoleDeclaration {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** From a preset of the class, whose rules the platform answers for. */
  readonly preset: boolean;
  readonly path: Path;
}

/** What `access` has a field for, the most powerful first. */
export const accessLevels = ['admins', 'editors', 'viewers'] as const;
export type AccessLevel = (typeof accessLevels)[number];

/** The names of bindings that are the same for all that have a level. */
type LevelNames = Readonly<Record<AccessLevel, string | undefined>>;

/** One grant of a layer, and where in its `access` it stands. */
interface LayerGrant {
  readonly role: Grant['role'];
  readonly holders: Holders;
  readonly bindingName: string | undefined;
  readonly level?: AccessLevel;
  readonly at: Path;
}

/**
 * Who gets which role, from every layer: access adds up. The bindingName of admins, editors and
 * viewers is a scalar, so that the highest layer that says one says it for all. Placeholders in it
 * are not filled in yet.
 */
export function mergeGrants(layers: readonly Layer[], klass: TenantClassSpec): Grant[] {
  const nameOf = (level: AccessLevel) =>
    layers
      .map(({ settings }) => settings.access?.[level]?.bindingName)
      .findLast((name) => name !== undefined);
  const names = {
    admins: nameOf('admins'),
    editors: nameOf('editors'),
    viewers: nameOf('viewers'),
  };
  return layers.flatMap((layer) =>
    listLayerGrants(layer.settings.access ?? {}, klass, names).map(
      ({ bindingName, at, ...said }) => ({
        ...said,
        byTenant: layer.byTenant,
        path: layer.at('access', ...at),
        ...(bindingName !== undefined && { bindingName }),
      }),
    ),
  );
}

function listLayerGrants(access: Access, klass: TenantClassSpec, names: LevelNames): LayerGrant[] {
  const roles = resolveAccessRoles(klass);
  const ofLevels = accessLevels.flatMap((level): LayerGrant[] => {
    const holders = access[level];
    const role = { kind: 'ClusterRole', name: roles[level] } as const;
    const bindingName = names[level] ?? entryOf(klass.bindingNames, role.name);
    return holders ? [{ role, holders, bindingName, level, at: [level] }] : [];
  });
  const ofClusterRoles = (access.clusterRoles ?? []).map((entry, i): LayerGrant => ({
    role: { kind: 'ClusterRole', name: entry.name },
    holders: entry,
    bindingName: entry.bindingName ?? entryOf(klass.bindingNames, entry.name),
    at: ['clusterRoles', i],
  }));
  const ofRoles = (access.roles ?? []).map((entry, i): LayerGrant => {
    const preset = klass.presets?.roles?.find(({ name }) => name === entry.preset);
    return {
      role: { kind: 'Role', name: entry.name ?? entry.preset! },
      holders: entry,
      bindingName: entry.bindingName ?? preset?.bindingName,
      at: ['roles', i],
    };
  });
  return [...ofLevels, ...ofClusterRoles, ...ofRoles];
}

/** What the account may as which Argo CD syncs Applications of the tenant. */
export function buildSyncGrant(
  account: { readonly namespace: string; readonly name: string },
  klass: TenantClassSpec,
  path: Path,
): Grant {
  const name = resolveApplicationsRole(klass);
  const bindingName = entryOf(klass.bindingNames, name);
  return {
    role: { kind: 'ClusterRole', name },
    holders: { serviceAccounts: [account] },
    byTenant: false,
    isSync: true,
    path,
    ...(bindingName !== undefined && { bindingName }),
  };
}

/** The Roles that a layer declares; rules come from the entry or from a preset of the class. */
export function resolveRoles(
  layer: Layer,
  { presets }: TenantClassSpec,
  unknownPreset: UnknownPresetReporter,
): RoleDeclaration[] {
  return (layer.settings.access?.roles ?? []).map((entry, i) => {
    const preset = presets?.roles?.find(({ name }) => name === entry.preset);
    if (entry.preset !== undefined && !preset) {
      const known = (presets?.roles ?? []).map(({ name }) => name);
      unknownPreset(layer.at('access', 'roles', i, 'preset'), entry.preset, known);
    }
    return {
      name: entry.name ?? entry.preset!,
      rules: preset?.rules ?? entry.rules ?? [],
      preset: preset !== undefined || !layer.byTenant,
      path: layer.at('access', 'roles', i),
    };
  });
}

/** The name of a grant's RoleBinding; one that is not given holds the role, because roleRef is immutable. */
export function resolveBindingName({
  role,
  bindingName,
}: Pick<Grant, 'role' | 'bindingName'>): string {
  return bindingName ?? `tenant-${role.kind.toLowerCase()}-${role.name}`;
}

/** Subjects by an identity of kind, namespace and name: two accounts of one name stay two. */
export function buildSubjects(
  { holders, byTenant, isSync }: Pick<Grant, 'holders' | 'byTenant' | 'isSync'>,
  lifecycle: Lifecycle,
): [string, object][] {
  // Who may push to a repository of the tenant is a person.
  if (isSync && lifecycle !== 'Active') return [];
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
