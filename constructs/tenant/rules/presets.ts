import { errorAt, warningAt, within, type Finding } from '../../../kube/finding.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { formatPath, type Path } from '../../../kube/problem.ts';
import type { Settings } from '../../../crds/tenantry/settings.ts';
import type { Platform, TenantClassDeclaration } from '../declaration.ts';
import { withoutLeftovers } from '../leftovers.ts';
import { unknownPresetWords } from '../layers/layer.ts';
import { readManifest } from '../resourcepresets/manifest.ts';
import { isFilledIn } from '../resourcepresets/made.ts';
import { readValues } from '../resourcepresets/parameters.ts';
import { brokenBy, presetFaults } from '../resourcepresets/preset-faults.ts';
import type { Refuse } from './context.ts';
import { objectWalls, type World } from './object-walls.ts';

/**
 * What is wrong or odd with the presets for resources of a class, and with how the class uses them
 * itself: each mistake once, whether or not a tenant uses the preset.
 * @param klass the class with what it has from the one that it extends. Default: it extends none
 */
export function resourcePresetRules(
  declared: TenantClassDeclaration,
  platform: Platform,
  klass = declared,
): Finding[] {
  const { presets, defaults, environments } = declared.spec;
  const allowed = klass.spec.allow?.clusters;
  const clusters = platform.clusters.filter(({ name }) => allowed?.includes(name) ?? true);
  const world: World = { klass, platform, clusters };
  const ofPresets = (presets?.resources ?? []).flatMap((preset, i) => {
    const shapes = brokenBy(preset)
      ? []
      : preset.manifests.flatMap((one, n) =>
          shapeFaults(one, world).map((fault) => within(['manifests', n], fault)),
        );
    const found = [...presetFaults(preset), ...shapes];
    return found.map((one) => within(['spec', 'presets', 'resources', i], one));
  });
  const ofEnvironments = (environments ?? []).flatMap((one, i) =>
    usesIn(one, ['spec', 'environments', i], klass),
  );
  return [
    ...ofPresets,
    ...usesIn(defaults ?? {}, ['spec', 'defaults'], klass),
    ...ofEnvironments,
    ...inheritedUses(declared, klass),
  ];
}

/** How the class that is extended uses presets of which this one has others of the same name. */
function inheritedUses(declared: TenantClassDeclaration, klass: TenantClassDeclaration): Finding[] {
  const own = new Set(declared.spec.presets?.resources?.map(({ name }) => name));
  const { defaults, environments = [] } = klass.base?.spec ?? {};
  return [defaults ?? {}, ...environments]
    .flatMap(({ resources = [] }) => resources)
    .filter(({ preset }) => preset !== undefined && own.has(preset))
    .flatMap((entry) => usesIn({ resources: [entry] }, [], klass))
    .map(({ path, message, rule }) => {
      const where = `${formatPath(['resources', ...path.slice(2)])} of ${klass.base!.name}`;
      return errorAt(['spec', 'extends'], `${message} (in ${where})`, rule);
    });
}

/** What no value of a parameter could change. */
function shapeFaults(template: Readonly<Record<string, unknown>>, world: World): Finding[] {
  const found: Finding[] = [];
  // Whether it is an object is the first of what is asked.
  const refuse: Refuse = (at, message, rule, { severity, aspect, before = at } = {}) => {
    if ([at, before].some((place) => isFilledIn(template, place, aspect))) return;
    const finding = (severity === 'warning' ? warningAt : errorAt)(at, message, rule);
    found.push(aspect === 'key' ? { ...finding, atKey: true } : finding);
  };
  objectWalls(withoutLeftovers(template).manifest as KubeObject, world, refuse);
  return found;
}

/** What is wrong or odd with the resources in a layer of the class. */
function usesIn({ resources }: Settings, path: Path, { name, spec }: TenantClassDeclaration) {
  const presets = spec.presets?.resources ?? [];
  return (resources ?? []).flatMap((entry, i): readonly Finding[] => {
    const at = [...path, 'resources', i];
    if (entry.manifest) {
      return readManifest(entry.manifest).remarks.map((one) => within([...at, 'manifest'], one));
    }
    if (entry.preset === undefined) return [];
    const preset = presets.find((one) => one.name === entry.preset);
    if (!preset) {
      const known = presets.map((one) => one.name);
      const message = unknownPresetWords(name, entry.preset, known);
      return [errorAt([...at, 'preset'], message, 'preset')];
    }
    if (brokenBy(preset)) return [];
    return readValues(preset.parameters, entry.values, [...at, 'values']).errors ?? [];
  });
}
