import type { LimitItem } from '../../crds/quota.ts';
import type { Settings } from '../../crds/settings.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { mergeSyncWindows } from './argocd.ts';
import { builtinSettings } from './builtin.ts';
import { mergeGrants, resolveRoles } from './grants.ts';
import {
  type Layer,
  type UnknownPresetReporter,
  overlayList,
  overlay,
  type DeepPartial,
} from './layer.ts';
import type { MergedSettings, Quota, Limits, Network } from './resolved.ts';

/**
 * Merges layers over the built-in settings, the lowest first. Scalars replace, maps merge by key, lists of objects
 * merge by their list key, and access adds up. `none` and `unlimited` remove. A layer that chooses a preset starts its
 * group again from the preset and drops what lower layers set, except for names of objects. What a network preset
 * leaves out gets the built-in value. `resolveResources` merges the content of `resources`.
 */
export function mergeLayers(
  layers: readonly Layer[],
  klass: TenantClassSpec,
  unknownPreset: UnknownPresetReporter,
): Omit<MergedSettings, 'resources'> {
  const { presets = {} } = klass;
  const highest = <T>(select: (settings: Settings) => T | undefined): T | undefined => {
    const layer = layers.findLast(({ settings }) => select(settings) !== undefined);
    return layer && select(layer.settings);
  };
  const mergeMaps = <V>(select: (settings: Settings) => Readonly<Record<string, V>> | undefined) =>
    Object.fromEntries(layers.flatMap(({ settings }) => Object.entries(select(settings) ?? {})));
  const mergeLists = <T extends object>(select: (settings: Settings) => readonly T[] | undefined) =>
    layers.reduce<readonly T[]>((list, l) => overlayList(list, select(l.settings) ?? []), []);
  const clusters = highest((settings) => settings.clusters);
  const quota = resolveQuota(layers, presets, unknownPreset);
  const limits = resolveLimits(layers, presets, unknownPreset);
  return {
    ...(clusters && { clusters }),
    labels: mergeMaps(({ labels }) => labels),
    annotations: mergeMaps(({ annotations }) => annotations),
    contact: mergeMaps(({ contact }) => contact),
    grants: mergeGrants(layers, klass),
    roles: layers.flatMap((layer) => resolveRoles(layer, klass, unknownPreset)),
    quota: { ...quota, hard: withoutUnset(quota.hard), unlimited: listUnlimitedKeys(quota.hard) },
    limits: { name: limits.name, items: limits.items.flatMap(removeUnlimited) },
    network: resolveNetwork(layers, presets, unknownPreset),
    podSecurity: withoutUnset({
      ...builtinSettings.podSecurity,
      ...mergeMaps(({ podSecurity }) => ({ ...podSecurity })),
    }),
    disruptionBudgets: mergeLists(({ disruptionBudgets }) => disruptionBudgets),
    serviceAccounts: mergeLists(({ serviceAccounts }) => serviceAccounts),
    imagePullSecrets: [...new Set(layers.flatMap((l) => l.settings.imagePullSecrets ?? []))],
    syncWindows: mergeSyncWindows(layers),
    deletion: highest(({ protection }) => protection?.deletion) ?? builtinSettings.deletion,
  };
}

const unsetValues = new Set<unknown>(['none', 'unlimited']);

function withoutUnset<T>(values: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !unsetValues.has(value)));
}

function listUnlimitedKeys(hard: Quota['hard']): string[] {
  return Object.keys(hard).filter((key) => hard[key] === 'unlimited');
}

/** Removes what is unlimited from an item; returns no item if it then bounds nothing. */
function removeUnlimited({ type, ...fields }: LimitItem): LimitItem[] {
  const kept = Object.entries(fields)
    .map(([field, quantities]) => [field, withoutUnset(quantities)] as const)
    .filter(([, quantities]) => Object.keys(quantities).length > 0);
  return kept.length > 0 ? [{ type, ...Object.fromEntries(kept) }] : [];
}

/** Settings that belong together, and that a layer can start again from a preset of the class. */
interface SettingsGroup<G extends object, P extends { readonly name: string }> {
  readonly field: 'quota' | 'limits' | 'network';
  readonly builtin: G;
  /** Reads the group from a layer: the preset that it starts from, and its own values. */
  readGroup(
    settings: Settings,
  ): { readonly preset: string | undefined; readonly own: NoInfer<DeepPartial<G>> } | undefined;
  /** The presets of the class. */
  readonly presets: readonly P[] | undefined;
  content(preset: P): NoInfer<DeepPartial<G>>;
  /** Returns the base for a preset: the names of objects that lower layers set, and nothing else of these layers. */
  start(before: NoInfer<G>): NoInfer<G>;
}

type Presets = NonNullable<TenantClassSpec['presets']>;

function resolveQuota(
  layers: readonly Layer[],
  { quotas }: Presets,
  unknownPreset: UnknownPresetReporter,
): Quota {
  return mergeGroup(layers, unknownPreset, {
    field: 'quota',
    builtin: builtinSettings.quota,
    readGroup({ quota }) {
      if (!quota) return undefined;
      const { preset, ...own } = quota;
      return { preset, own };
    },
    presets: quotas,
    content: ({ name: _name, ...content }) => content,
    start: ({ name }) => ({ name, hard: {}, scoped: [], unlimited: [] }),
  });
}

function resolveLimits(
  layers: readonly Layer[],
  { limits: presets }: Presets,
  unknownPreset: UnknownPresetReporter,
): Limits {
  return mergeGroup(layers, unknownPreset, {
    field: 'limits',
    builtin: builtinSettings.limits,
    readGroup({ limits }) {
      if (!limits) return undefined;
      const { preset, ...own } = limits;
      return { preset, own };
    },
    presets,
    content: ({ name: _name, ...content }) => content,
    start: ({ name }) => ({ name, items: [] }),
  });
}

/** Resolves the network: what a network preset leaves out gets the built-in value. */
function resolveNetwork(
  layers: readonly Layer[],
  { networks }: Presets,
  unknownPreset: UnknownPresetReporter,
): Network {
  return mergeGroup(layers, unknownPreset, {
    field: 'network',
    builtin: builtinSettings.network,
    readGroup({ network }) {
      if (!network) return undefined;
      const { preset, ...own } = network;
      return { preset, own };
    },
    presets: networks,
    content: ({ name: _name, ...content }) => content,
    start: ({ policyNames }) => ({ ...builtinSettings.network, policyNames }),
  });
}

function mergeGroup<G extends object, P extends { readonly name: string }>(
  layers: readonly Layer[],
  unknownPreset: UnknownPresetReporter,
  { field, builtin, readGroup, presets = [], content, start }: SettingsGroup<G, P>,
): G {
  let merged = builtin;
  for (const layer of layers) {
    const group = readGroup(layer.settings);
    if (!group) continue;
    const { preset, own } = group;
    if (preset !== undefined) {
      const chosen = presets.find(({ name }) => name === preset);
      merged = chosen ? overlay(start(merged), content(chosen)) : start(merged);
      if (!chosen && preset !== 'none') {
        const known = presets.map(({ name }) => name);
        unknownPreset(layer.at(field, 'preset'), preset, known);
      }
    }
    merged = overlay(merged, own);
  }
  return merged;
}
