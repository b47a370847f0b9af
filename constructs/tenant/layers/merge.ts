import type { LimitItem } from '../../../crds/tenantry/quota.ts';
import type { Settings } from '../../../crds/tenantry/settings.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import { mergeSyncWindows } from './argocd.ts';
import { builtinSettings } from './builtin.ts';
import { mergeGrants, resolveRoles } from './grants.ts';
import type { Layer, UnknownPresetReporter } from './layer.ts';
import type { MergedSettings, Quota } from './merged.ts';
import { overlayList } from './overlay.ts';
import { resolveLimits, resolveNetwork, resolveQuota } from './presets.ts';

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
  const mapOf = <V>(select: (settings: Settings) => Readonly<Record<string, V>> | undefined) =>
    Object.fromEntries(layers.flatMap(({ settings }) => Object.entries(select(settings) ?? {})));
  const listOf = <T extends object>(select: (settings: Settings) => readonly T[] | undefined) =>
    layers.reduce<readonly T[]>((list, l) => overlayList(list, select(l.settings) ?? []), []);
  const clusters = highest((settings) => settings.clusters);
  const quota = resolveQuota(layers, presets, unknownPreset);
  const limits = resolveLimits(layers, presets, unknownPreset);
  return {
    ...(clusters && { clusters }),
    labels: mapOf(({ labels }) => labels),
    annotations: mapOf(({ annotations }) => annotations),
    contact: mapOf(({ contact }) => contact),
    grants: mergeGrants(layers, klass),
    roles: layers.flatMap((layer) => resolveRoles(layer, klass, unknownPreset)),
    quota: { ...quota, hard: withoutUnset(quota.hard), unlimited: listUnlimitedKeys(quota.hard) },
    limits: { name: limits.name, items: limits.items.flatMap(removeUnlimited) },
    network: resolveNetwork(layers, presets, unknownPreset),
    podSecurity: withoutUnset({
      ...builtinSettings.podSecurity,
      ...mapOf(({ podSecurity }) => ({ ...podSecurity })),
    }),
    disruptionBudgets: listOf(({ disruptionBudgets }) => disruptionBudgets),
    serviceAccounts: listOf(({ serviceAccounts }) => serviceAccounts),
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
