import type { Path } from '@tenantry/kube/problem';
import type { Origin, Origins, PlacementListener } from '../origins.ts';
import type { LimitItem } from '../../crds/quota.ts';
import type { Settings } from '../../crds/settings.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { mergeSyncWindows } from './argocd.ts';
import { builtinSettings } from './builtin.ts';
import { listBreakGlass } from './break-glass.ts';
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
 * @param tracing records where each value is from
 */
export function mergeLayers(
  layers: readonly Layer[],
  klass: TenantClassSpec,
  unknownPreset: UnknownPresetReporter,
  tracing?: MergeTracing,
): Omit<MergedSettings, 'resources'> {
  const { presets = {} } = klass;
  const origins = tracing?.origins;
  if (origins) recordBuiltins(origins);
  const { highest, mergeMaps, mergeLists } = createCombiners(layers, origins);
  const clusters = highest(['clusters'], (settings) => settings.clusters);
  const quota = resolveQuota(layers, presets, unknownPreset, tracing);
  const limits = resolveLimits(layers, presets, unknownPreset, tracing);
  return {
    ...(clusters && { clusters }),
    labels: mergeMaps('labels', ({ labels }) => labels),
    annotations: mergeMaps('annotations', ({ annotations }) => annotations),
    contact: mergeMaps('contact', ({ contact }) => contact),
    grants: mergeGrants(layers, klass, origins),
    roles: layers.flatMap((layer) => resolveRoles(layer, klass, unknownPreset)),
    breakGlass: listBreakGlass(layers),
    quota: { ...quota, hard: withoutUnset(quota.hard), unlimited: listUnlimitedKeys(quota.hard) },
    limits: { name: limits.name, items: limits.items.flatMap(removeUnlimited) },
    network: resolveNetwork(layers, presets, unknownPreset, tracing),
    podSecurity: withoutUnset({
      ...builtinSettings.podSecurity,
      ...mergeMaps('podSecurity', ({ podSecurity }) => ({ ...podSecurity })),
    }),
    disruptionBudgets: mergeLists(
      'disruptionBudgets',
      ({ disruptionBudgets }) => disruptionBudgets,
    ),
    serviceAccounts: mergeLists('serviceAccounts', ({ serviceAccounts }) => serviceAccounts),
    imagePullSecrets: mergeSets('imagePullSecrets', layers, origins),
    syncWindows: mergeSyncWindows(layers),
    deletion:
      highest(['protection', 'deletion'], ({ protection }) => protection?.deletion) ??
      builtinSettings.deletion,
  };
}

function recordBuiltins(origins: Origins): void {
  for (const field of Object.keys(builtinSettings)) {
    const at = field === 'deletion' ? ['protection', field] : [field];
    origins.record(at, ['builtin', ...at]);
  }
}

/** Creates the functions that combine one field of all layers, and record where its values are from. */
function createCombiners(layers: readonly Layer[], origins: Origins | undefined) {
  const highest = <T>(at: Path, select: (settings: Settings) => T | undefined): T | undefined => {
    const layer = layers.findLast(({ settings }) => select(settings) !== undefined);
    if (layer) origins?.record(at, layer.at(...at));
    return layer && select(layer.settings);
  };
  const mergeMaps = <V>(
    field: string,
    select: (settings: Settings) => Readonly<Record<string, V>> | undefined,
  ) =>
    Object.fromEntries(
      layers.flatMap(({ settings, at }) => {
        const entries = Object.entries(select(settings) ?? {});
        for (const [key] of entries) origins?.record([field, key], at(field, key));
        return entries;
      }),
    );
  const mergeLists = <T extends object>(
    field: string,
    select: (settings: Settings) => readonly T[] | undefined,
  ) =>
    layers.reduce<readonly T[]>(
      (list, { settings, at }) =>
        overlayList(list, select(settings) ?? [], recordPlaced(origins, [field], at)),
      [],
    );
  return { highest, mergeMaps, mergeLists };
}

/** What a merge needs to record where its values are from. */
export interface MergeTracing {
  readonly origins: Origins;
  /** Returns the place of a preset of the class. */
  locatePreset(list: keyof Presets, preset: { readonly name: string }): Origin;
}

function recordPlaced(
  origins: Origins | undefined,
  group: Path,
  at: Layer['at'],
): PlacementListener | undefined {
  return (
    origins && ((target, source) => origins.record([...group, ...target], at(...group, ...source)))
  );
}

/** Adds up the lists of all layers; a text that several layers have is from the first of them. */
function mergeSets(
  field: 'imagePullSecrets',
  layers: readonly Layer[],
  origins: Origins | undefined,
): readonly string[] {
  const merged = new Set<string>();
  for (const { settings, at } of layers) {
    for (const [i, text] of (settings[field] ?? []).entries()) {
      if (!merged.has(text)) origins?.record([field, merged.size], at(field, i));
      merged.add(text);
    }
  }
  return [...merged];
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
  /** The presets of the class, and the list that has them. */
  readonly presets: readonly P[] | undefined;
  readonly list: keyof Presets;
  content(preset: P): NoInfer<DeepPartial<G>>;
  /** Returns the base for a preset: the names of objects that lower layers set, and nothing else of these layers. */
  start(before: NoInfer<G>): NoInfer<G>;
  /** The field with the names of objects, which a preset does not reset. */
  readonly kept: 'name' | 'policyNames';
}

type Presets = NonNullable<TenantClassSpec['presets']>;

function resolveQuota(
  layers: readonly Layer[],
  { quotas }: Presets,
  unknownPreset: UnknownPresetReporter,
  tracing: MergeTracing | undefined,
): Quota {
  return mergeGroup(layers, unknownPreset, tracing, {
    field: 'quota',
    builtin: builtinSettings.quota,
    readGroup({ quota }) {
      if (!quota) return undefined;
      const { preset, temporary: _raised, ...own } = quota;
      return { preset, own };
    },
    presets: quotas,
    list: 'quotas',
    kept: 'name',
    content: ({ name: _name, ...content }) => content,
    start: ({ name }) => ({ name, hard: {}, scoped: [], unlimited: [] }),
  });
}

function resolveLimits(
  layers: readonly Layer[],
  { limits: presets }: Presets,
  unknownPreset: UnknownPresetReporter,
  tracing: MergeTracing | undefined,
): Limits {
  return mergeGroup(layers, unknownPreset, tracing, {
    field: 'limits',
    builtin: builtinSettings.limits,
    readGroup({ limits }) {
      if (!limits) return undefined;
      const { preset, ...own } = limits;
      return { preset, own };
    },
    presets,
    list: 'limits',
    kept: 'name',
    content: ({ name: _name, ...content }) => content,
    start: ({ name }) => ({ name, items: [] }),
  });
}

/** Resolves the network: what a network preset leaves out gets the built-in value. */
function resolveNetwork(
  layers: readonly Layer[],
  { networks }: Presets,
  unknownPreset: UnknownPresetReporter,
  tracing: MergeTracing | undefined,
): Network {
  return mergeGroup(layers, unknownPreset, tracing, {
    field: 'network',
    builtin: builtinSettings.network,
    readGroup({ network }) {
      if (!network) return undefined;
      const { preset, ...own } = network;
      return { preset, own };
    },
    presets: networks,
    list: 'networks',
    kept: 'policyNames',
    content: ({ name: _name, ...content }) => content,
    start: ({ policyNames }) => ({ ...builtinSettings.network, policyNames }),
  });
}

function mergeGroup<G extends object, P extends { readonly name: string }>(
  layers: readonly Layer[],
  unknownPreset: UnknownPresetReporter,
  tracing: MergeTracing | undefined,
  { field, builtin, readGroup, presets = [], list, content, start, kept }: SettingsGroup<G, P>,
): G {
  const origins = tracing?.origins;
  let merged = builtin;
  for (const layer of layers) {
    const group = readGroup(layer.settings);
    if (!group) continue;
    const { preset, own } = group;
    if (preset !== undefined) {
      const chosen = presets.find(({ name }) => name === preset);
      origins?.restart([field], kept);
      origins?.record([field, 'preset'], layer.at(field, 'preset'));
      const onPlaced =
        chosen &&
        tracing &&
        recordPlaced(origins, [field], (_field, ...rest) => [
          ...tracing.locatePreset(list, chosen),
          ...rest,
        ]);
      merged = chosen ? overlay(start(merged), content(chosen), onPlaced) : start(merged);
      if (!chosen && preset !== 'none') {
        const known = presets.map(({ name }) => name);
        unknownPreset(layer.at(field, 'preset'), preset, known);
      }
    }
    merged = overlay(merged, own, recordPlaced(origins, [field], layer.at));
  }
  return merged;
}
