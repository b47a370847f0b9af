import { isMapping } from '../../kube/mapping.ts';
import type { NetworkSettings } from '../../crds/tenantry/network.ts';
import type { LimitItem, ScopedQuota } from '../../crds/tenantry/quota.ts';
import type { Settings } from '../../crds/tenantry/settings.ts';
import type { TenantClassSpec } from '../../crds/tenantry/tenantclass.ts';
import type { DisruptionBudget, ServiceAccountSettings } from '../../crds/tenantry/workload.ts';
import { grantsOf, rolesOf, type Grant, type RoleDeclaration } from './grants.ts';
import type { Layer, UnknownPreset } from './layer.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Path } from '../../kube/problem.ts';
import { builtinSettings } from './builtin.ts';

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

type Mutable = { [key: string]: unknown };

/**
 * Lays layers on top of each other, the first lowest. Scalars replace, maps merge by key, lists of
 * objects by their list key, access adds up, `none` and `unlimited` take away. A layer that chooses
 * a preset starts that group over from the preset: what lower layers said about it is dropped,
 * names of objects apart, and what a network preset leaves out is as it is built in.
 */
export function mergeLayers(
  layers: readonly Layer[],
  klass: TenantClassSpec,
  namespace: string,
  unknownPreset: UnknownPreset,
): Merged {
  const { presets = {} } = klass;
  const scalar = <K extends 'clusters'>(key: K) =>
    layers.findLast((l) => l.settings[key])?.settings[key];
  const map = (key: 'labels' | 'annotations' | 'contact') =>
    Object.fromEntries(layers.flatMap((layer) => Object.entries(layer.settings[key] ?? {})));
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
    grants: grantsOf(layers, klass, namespace),
    roles: layers.flatMap((layer) => rolesOf(layer, klass, unknownPreset)),
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
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const under = merged.get(key);
    if (Array.isArray(value) && Array.isArray(under)) merged.set(key, mergeByKey(under, value));
    else if (isMapping(value) && isMapping(under)) merged.set(key, mergeObjects(under, value));
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** By `name`, or by `type` where that is the key (limits); a list without either is replaced. */
function mergeByKey(below: readonly unknown[], above: readonly unknown[]): unknown[] {
  const keyOf = (item: unknown): unknown =>
    isMapping(item) ? (item['name'] ?? item['type']) : undefined;
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
