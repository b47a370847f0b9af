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
 * Lays layers on what is built in, the first lowest. Scalars replace, maps merge by key, lists of
 * objects by their list key, access adds up, `none` and `unlimited` take away. A layer that chooses
 * a preset starts that group over from the preset: what lower layers said about it is dropped,
 * names of objects apart, and what a network preset leaves out is as it is built in. What `resources`
 * hold is for `resourcesOf`.
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

/** An item without what is unlimited; one that then bounds nothing is left out. */
function removeUnlimited({ type, ...fields }: LimitItem): LimitItem[] {
  const kept = Object.entries(fields)
    .map(([field, quantities]) => [field, withoutUnset(quantities)] as const)
    .filter(([, quantities]) => Object.keys(quantities).length > 0);
  return kept.length > 0 ? [{ type, ...Object.fromEntries(kept) }] : [];
}
