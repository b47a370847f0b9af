import type { Access, Holders, PolicyRule } from '../../crds/tenantry/access.ts';
import type { NetworkSettings } from '../../crds/tenantry/network.ts';
import type { LimitItem, ScopedQuota } from '../../crds/tenantry/quota.ts';
import type { Settings } from '../../crds/tenantry/settings.ts';
import type { TenantClassSpec } from '../../crds/tenantry/tenantclass.ts';
import type { DisruptionBudget, ServiceAccountSettings } from '../../crds/tenantry/workload.ts';
import type { KubeObject } from '../../crds/object.ts';
import type { Path } from '../../crds/problem.ts';
import { builtinSettings } from './builtin.ts';

/** Settings, who says them, and where they stand in the Tenant (for what comes from a class: its name). */
export interface Layer {
  readonly settings: Settings;
  readonly path: Path;
  readonly byTenant: boolean;
}

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

export interface ExtraResource {
  readonly manifest: KubeObject;
  readonly path: Path;
}

/** All layers of one namespace laid on top of each other. */
export interface Merged {
  readonly clusters?: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly contact: Readonly<Record<string, string>>;
  readonly grants: readonly Grant[];
  readonly roles: readonly RoleDeclaration[];
  readonly quota: {
    readonly name: string;
    readonly hard: Readonly<Record<string, string | number>>;
    readonly scoped: readonly ScopedQuota[];
  };
  readonly limits: { readonly name: string; readonly items: readonly LimitItem[] };
  readonly network: Omit<NetworkSettings, 'preset'>;
  readonly podSecurity: Readonly<Record<string, string>>;
  readonly disruptionBudgets: readonly DisruptionBudget[];
  readonly serviceAccounts: readonly ServiceAccountSettings[];
  readonly imagePullSecrets: readonly string[];
  readonly deletion: 'Confirm' | 'None';
  readonly resources: readonly ExtraResource[];
}

type Presets = NonNullable<TenantClassSpec['presets']>;
type Mutable = { [key: string]: unknown };

/** Told of a preset that the class does not have. */
export type UnknownPreset = (path: Path, name: string, known: readonly string[]) => void;

/**
 * Lays layers on top of each other, the first lowest. Scalars replace, maps merge by key, lists of
 * objects by their list key, access adds up, `none` and `unlimited` take away. A layer that chooses
 * a preset starts that group over from the preset: what lower layers said about it is dropped,
 * names of objects apart, and what a network preset leaves out is as it is built in.
 */
export function mergeLayers(
  layers: readonly Layer[],
  klass: TenantClassSpec,
  unknownPreset: UnknownPreset,
): Merged {
  const { presets = {} } = klass;
  const scalar = <K extends 'clusters'>(key: K) =>
    layers.findLast((l) => l.settings[key])?.settings[key];
  const map = (key: 'labels' | 'annotations' | 'contact') =>
    Object.assign({}, ...layers.map((layer) => layer.settings[key])) as Record<string, string>;
  const group = <K extends 'quota' | 'limits' | 'network'>(
    key: K,
    available: readonly { readonly name: string }[] = [],
  ) => mergeGroup(layers, key, available, unknownPreset);
  const clusters = scalar('clusters');
  const quota = group('quota', presets.quotas);
  const limits = group('limits', presets.limits);
  return {
    ...(clusters && { clusters }),
    labels: map('labels'),
    annotations: map('annotations'),
    contact: map('contact'),
    grants: layers.flatMap((layer) => grantsOf(layer, klass)),
    roles: layers.flatMap((layer) => rolesOf(layer, presets, unknownPreset)),
    quota: { scoped: [], ...quota, hard: withoutUnset(quota.hard) } as Merged['quota'],
    limits: {
      name: limits.name,
      items: (limits.items ?? [])
        .map(withoutUnsetMaps)
        .filter((item) => Object.keys(item).length > 1),
    } as Merged['limits'],
    network: group('network', presets.networks),
    podSecurity: withoutUnset(Object.assign({}, ...layers.map((l) => l.settings.podSecurity))),
    disruptionBudgets: mergeLists(layers, 'disruptionBudgets') as readonly DisruptionBudget[],
    serviceAccounts: mergeLists(layers, 'serviceAccounts') as readonly ServiceAccountSettings[],
    imagePullSecrets: [...new Set(layers.flatMap((l) => l.settings.imagePullSecrets ?? []))],
    deletion: layers.findLast((l) => l.settings.protection?.deletion)!.settings.protection!
      .deletion!,
    resources: layers.flatMap((layer) =>
      (layer.settings.resources ?? []).map(({ manifest }, i) => ({
        manifest,
        path: layer.byTenant ? [...layer.path, 'resources', i, 'manifest'] : layer.path,
      })),
    ),
  };
}

const unset = new Set<unknown>(['none', 'unlimited']);

function withoutUnset<T>(values: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !unset.has(value)));
}

function withoutUnsetMaps(item: LimitItem): LimitItem {
  const entries = Object.entries(item).map(([key, value]) =>
    typeof value === 'string' ? [key, value] : [key, withoutUnset(value)],
  );
  return Object.fromEntries(
    entries.filter(([, value]) => typeof value === 'string' || Object.keys(value!).length > 0),
  ) as LimitItem;
}

function mergeGroup<K extends 'quota' | 'limits' | 'network'>(
  layers: readonly Layer[],
  key: K,
  available: readonly { readonly name: string }[],
  unknownPreset: UnknownPreset,
): Omit<NonNullable<Settings[K]>, 'preset'> {
  let merged: Mutable = {};
  for (const { settings, path, byTenant } of layers) {
    const layer = settings[key];
    if (!layer) continue;
    const { preset, ...rest } = layer as { preset?: string } & Mutable;
    if (preset !== undefined) {
      const chosen = available.find((candidate) => candidate.name === preset);
      if (!chosen && preset !== 'none') {
        const names = available.map((candidate) => candidate.name);
        unknownPreset(byTenant ? [...path, key, 'preset'] : path, preset, names);
      }
      const { name: _presetName, ...content } = (chosen ?? { name: '' }) as { name: string };
      const { name, policyNames } = merged;
      const start = key === 'network' ? { ...builtinSettings.network, policyNames } : { name };
      merged = mergeObjects(start, content);
    }
    merged = mergeObjects(merged, rest);
  }
  return merged as Omit<NonNullable<Settings[K]>, 'preset'>;
}

function mergeObjects(below: Mutable, above: Mutable): Mutable {
  const merged = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = merged[key];
    if (Array.isArray(value) && Array.isArray(under)) merged[key] = mergeByKey(under, value);
    else if (isMap(value) && isMap(under)) merged[key] = mergeObjects(under, value);
    else merged[key] = value;
  }
  return merged;
}

const isMap = (value: unknown): value is Mutable =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** By `name`, or by `type` where that is the key (limits); a list without either is replaced. */
function mergeByKey(below: readonly unknown[], above: readonly unknown[]): unknown[] {
  const keyOf = (item: unknown): unknown =>
    isMap(item) ? (item['name'] ?? item['type']) : undefined;
  if ([...below, ...above].some((item) => keyOf(item) === undefined)) return [...above];
  const merged = [...below];
  for (const item of above) {
    const at = merged.findIndex((other) => keyOf(other) === keyOf(item));
    if (at < 0) merged.push(item);
    else merged[at] = mergeObjects(merged[at] as Mutable, item as Mutable);
  }
  return merged;
}

function mergeLists(layers: readonly Layer[], key: 'disruptionBudgets' | 'serviceAccounts') {
  return layers.reduce<unknown[]>((list, l) => mergeByKey(list, l.settings[key] ?? []), []);
}

function grantsOf(layer: Layer, klass: TenantClassSpec): Grant[] {
  const access: Access | undefined = layer.settings.access;
  if (!access) return [];
  const at = (...rest: Path): Path =>
    layer.byTenant ? [...layer.path, 'access', ...rest] : layer.path;
  const grant = (role: Grant['role'], holders: Holders, path: Path): Grant => ({
    role,
    holders,
    path,
    byTenant: layer.byTenant,
    ...(holders.bindingName !== undefined && { bindingName: holders.bindingName }),
  });
  const clusterRole = (name: string) => ({ kind: 'ClusterRole' as const, name });
  const roles = accessRoles(klass);
  return [
    ...(['admins', 'editors', 'viewers'] as const).flatMap((key) => {
      const holders = access[key];
      return holders ? [grant(clusterRole(roles[key]), holders, at(key))] : [];
    }),
    ...(access.clusterRoles ?? []).map((entry, i) =>
      grant(clusterRole(entry.name), entry, at('clusterRoles', i)),
    ),
    ...(access.roles ?? []).map((entry, i) =>
      grant({ kind: 'Role', name: entry.name ?? entry.preset! }, entry, at('roles', i)),
    ),
  ];
}

/** The ClusterRoles behind admins, editors and viewers. */
export function accessRoles(klass: TenantClassSpec) {
  return { admins: 'admin', editors: 'edit', viewers: 'view', ...klass.roles };
}

function rolesOf(layer: Layer, presets: Presets, unknownPreset: UnknownPreset): RoleDeclaration[] {
  return (layer.settings.access?.roles ?? []).map((entry, i) => {
    const path: Path = layer.byTenant ? [...layer.path, 'access', 'roles', i] : layer.path;
    const preset = presets.roles?.find(({ name }) => name === entry.preset);
    if (entry.preset !== undefined && !preset) {
      const known = (presets.roles ?? []).map(({ name }) => name);
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
