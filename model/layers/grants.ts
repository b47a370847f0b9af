import { entryOf } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import {
  accessLevels,
  type Access,
  type AccessLevel,
  type Holders,
  type PolicyRule,
} from '../../crds/access.ts';
import type { Lifecycle } from '../../crds/settings.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { resolveAccessRoles, resolveApplicationsRole } from '../classes/allowances.ts';
import type { Origins } from '../origins.ts';
import type { Layer, UnknownPresetReporter } from './layer.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** A grant of one role to some subjects. */
export interface Grant {
  readonly role: { readonly kind: 'ClusterRole' | 'Role'; readonly name: string };
  readonly bindingName?: string;
  readonly holders: Holders;
  readonly byTenant: boolean;
  readonly path: Path;
  /** The level; absent for a role that `access` names. */
  readonly level?: AccessLevel;
  /** The last day of the grant. */
  readonly until?: string;
  /** The grant is for the account as which Argo CD syncs, and no person may grant it to others. */
  readonly isSync?: true;
}

/** A Role in the tenant's namespaces. */
export interface RoleDeclaration {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** Whether it is from a preset of the class. The platform is responsible for the rules of presets. */
  readonly preset: boolean;
  readonly path: Path;
}

/** The names of bindings that all subjects of a level share. */
type LevelNames = Readonly<Record<AccessLevel, string | undefined>>;

/** One grant of a layer, and its place in the `access` of the layer. */
interface LayerGrant {
  readonly role: Grant['role'];
  readonly holders: Holders;
  readonly bindingName: string | undefined;
  readonly level?: AccessLevel;
  readonly until?: string | undefined;
  readonly at: Path;
}

/**
 * Merges the grants of all layers: access adds up. The bindingName of admins, editors and viewers is a scalar, so that
 * the highest layer with a value sets it for all grants. Placeholders in it are not filled in yet.
 */
export function mergeGrants(
  layers: readonly Layer[],
  klass: TenantClassSpec,
  origins?: Origins,
): Grant[] {
  const findBindingName = (level: AccessLevel): string | undefined => {
    const layer = layers.findLast(
      ({ settings }) => settings.access?.[level]?.bindingName !== undefined,
    );
    const at = ['access', level, 'bindingName'];
    if (layer) origins?.record(at, layer.at(...at));
    return layer?.settings.access?.[level]?.bindingName;
  };
  const names = {
    admins: findBindingName('admins'),
    editors: findBindingName('editors'),
    viewers: findBindingName('viewers'),
  };
  return layers.flatMap((layer) =>
    listLayerGrants(layer.settings.access ?? {}, klass, names).map(
      ({ bindingName, until, at, ...grant }) => ({
        ...grant,
        byTenant: layer.byTenant,
        path: layer.at('access', ...at),
        ...(bindingName !== undefined && { bindingName }),
        ...(until !== undefined && { until }),
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
    if (!holders) return [];
    const own: LayerGrant = { role, holders, bindingName, level, at: [level] };
    const temporary = (holders.temporary ?? []).map((group, i) => {
      return { ...own, holders: group, until: group.until, at: [level, 'temporary', i] };
    });
    return [own, ...temporary];
  });
  const ofClusterRoles = (access.clusterRoles ?? []).map((entry, i): LayerGrant => ({
    role: { kind: 'ClusterRole', name: entry.name },
    holders: entry,
    bindingName: entry.bindingName ?? entryOf(klass.bindingNames, entry.name),
    until: entry.until,
    at: ['clusterRoles', i],
  }));
  const ofRoles = (access.roles ?? []).map((entry, i): LayerGrant => {
    const preset = klass.presets?.roles?.find(({ name }) => name === entry.preset);
    return {
      role: { kind: 'Role', name: entry.name ?? entry.preset! },
      holders: entry,
      bindingName: entry.bindingName ?? preset?.bindingName,
      until: entry.until,
      at: ['roles', i],
    };
  });
  return [...ofLevels, ...ofClusterRoles, ...ofRoles];
}

/** Builds the grant for the account as which Argo CD syncs Applications of the tenant. */
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

/** Resolves the Roles that a layer declares. Their rules come from the entry or from a preset of the class. */
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

/** Returns the name of a grant's RoleBinding. A generated name contains the role, because roleRef is immutable. */
export function resolveBindingName({
  role,
  bindingName,
}: Pick<Grant, 'role' | 'bindingName'>): string {
  return bindingName ?? `tenant-${role.kind.toLowerCase()}-${role.name}`;
}

/** Builds the subjects, unique by kind, namespace and name: two accounts of one name stay two. */
export function buildSubjects(
  { holders, byTenant, isSync }: Pick<Grant, 'holders' | 'byTenant' | 'isSync'>,
  lifecycle: Lifecycle,
): [string, object][] {
  // People can push to a repository of the tenant, so syncing is access of people.
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
