import { errorAt, within, type Finding } from '../../../kube/finding.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Path } from '../../../kube/problem.ts';
import type { Settings } from '../../../crds/tenantry/settings.ts';
import type { Platform, TenantClassDeclaration } from '../declaration.ts';
import { withoutLeftovers } from '../leftovers.ts';
import { unknownPresetWords } from '../layers/layer.ts';
import { readManifest } from '../resourcepresets/manifest.ts';
import { isFilledIn } from '../resourcepresets/made.ts';
import { readValues } from '../resourcepresets/parameters.ts';
import { brokenBy, presetFaults } from '../resourcepresets/presetfaults.ts';
import { objectWalls, type World } from './objectwalls.ts';

/**
 * What is wrong or odd with the presets for resources of a class, and with how the class uses them
 * itself: each mistake once, whether or not a tenant uses the preset.
 */
export function resourcePresetRules(klass: TenantClassDeclaration, platform: Platform): Finding[] {
  const { presets, allow, defaults, environments } = klass.spec;
  const allowed = allow?.clusters;
  const clusters = platform.clusters.filter(({ name }) => allowed?.includes(name) ?? true);
  const world: World = { klass, platform, clusters };
  const declared = (presets?.resources ?? []).flatMap((preset, i) => {
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
  return [...declared, ...usesIn(defaults ?? {}, ['spec', 'defaults'], klass), ...ofEnvironments];
}

/** What no value of a parameter could change. */
function shapeFaults(template: Readonly<Record<string, unknown>>, world: World): Finding[] {
  const found: Finding[] = [];
  // Whether it is an object is the first of what is asked.
  objectWalls(withoutLeftovers(template).manifest as KubeObject, world, (at, message, rule) => {
    if (!isFilledIn(template, at)) found.push(errorAt(at, message, rule));
  });
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
