import type { Settings } from '../../../crds/tenantry/settings.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import { builtinSettings } from './builtin.ts';
import type { Layer, UnknownPresetReporter } from './layer.ts';
import type { Limits, Network, Quota } from './merged.ts';
import { overlay, type DeepPartial } from './overlay.ts';

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

export function resolveQuota(
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

export function resolveLimits(
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
export function resolveNetwork(
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
