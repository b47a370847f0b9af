import { prefixFinding, type Finding } from '@tenantry/kube/finding';
import { errorAt, type TenantFinding } from '../findings/tenant-finding.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { formatPath, type Path } from '@tenantry/kube/problem';
import type { Settings } from '../../crds/settings.ts';
import type { Platform, TenantClassDeclaration } from '../declaration.ts';
import { removeLeftovers, readManifest } from '../resource-presets/manifest.ts';
import { formatUnknownPreset } from '../layers/layer.ts';
import { isFilledIn } from '../resource-presets/preset-objects.ts';
import { readValues } from '../resource-presets/parameters.ts';
import { findPresetError, validateResourcePreset } from '../resource-presets/preset-faults.ts';
import type { ObjectContext, RuleReporter } from './context.ts';
import { buildFinding } from './check.ts';
import { checkDeclaredObject, type ObjectRule } from './object-rules.ts';

/**
 * Validates the resource presets of a class and the class's own uses of them. Each mistake is reported once, whether or
 * not a tenant uses the preset.
 * @param klass the class merged with its parent. Default: it has no parent
 */
export function validateResourcePresets(
  declared: TenantClassDeclaration,
  platform: Platform,
  klass = declared,
): Finding[] {
  const { presets, defaults, environments } = declared.spec;
  const allowed = klass.spec.allow?.clusters;
  const clusters = platform.clusters.filter(({ name }) => allowed?.includes(name) ?? true);
  const world: ObjectContext = { klass, platform, clusters };
  const ofPresets = (presets?.resources ?? []).flatMap((preset, i) => {
    const shapes = findPresetError(preset)
      ? []
      : preset.manifests.flatMap((one, n) =>
          validateTemplate(one, world).map((fault) => prefixFinding(['manifests', n], fault)),
        );
    const found = [...validateResourcePreset(preset), ...shapes];
    return found.map((one) => prefixFinding(['spec', 'presets', 'resources', i], one));
  });
  const ofEnvironments = (environments ?? []).flatMap((one, i) =>
    validateUses(one, ['spec', 'environments', i], klass),
  );
  return [
    ...ofPresets,
    ...validateUses(defaults ?? {}, ['spec', 'defaults'], klass),
    ...ofEnvironments,
    ...validateInheritedUses(declared, klass),
  ];
}

/** Validates how the parent class uses presets that this class replaces by presets of the same names. */
function validateInheritedUses(
  declared: TenantClassDeclaration,
  klass: TenantClassDeclaration,
): Finding[] {
  const own = new Set(declared.spec.presets?.resources?.map(({ name }) => name));
  const { defaults, environments = [] } = klass.base?.spec ?? {};
  return [defaults ?? {}, ...environments]
    .flatMap(({ resources = [] }) => resources)
    .filter(({ preset }) => preset !== undefined && own.has(preset))
    .flatMap((entry) => validateUses({ resources: [entry] }, [], klass))
    .map(({ path, message, rule }) => {
      const where = `${formatPath(['resources', ...path.slice(2)])} of ${klass.base!.name}`;
      return errorAt(['spec', 'extends'], `${message} (in ${where})`, rule);
    });
}

/** Validates the parts of a template that do not depend on the value of a parameter. */
function validateTemplate(
  template: Readonly<Record<string, unknown>>,
  world: ObjectContext,
): Finding[] {
  const found: Finding[] = [];
  // The first check is whether it is an object.
  const report: RuleReporter<ObjectRule> = (at, message, rule, options = {}) => {
    const { before = at } = options;
    if ([at, before].some((place) => isFilledIn(template, place, options.aspect))) return;
    found.push(buildFinding(at, message, rule, options));
  };
  const manifest = removeLeftovers(template).manifest as KubeObject;
  checkDeclaredObject({ manifest, ...world }, report);
  return found;
}

/** Validates the resources in a layer of the class. */
function validateUses({ resources }: Settings, path: Path, { name, spec }: TenantClassDeclaration) {
  const presets = spec.presets?.resources ?? [];
  return (resources ?? []).flatMap((entry, i): readonly TenantFinding[] => {
    const at = [...path, 'resources', i];
    if (entry.manifest) {
      return readManifest(entry.manifest).remarks.map((one) =>
        prefixFinding([...at, 'manifest'], one),
      );
    }
    if (entry.preset === undefined) return [];
    const preset = presets.find((one) => one.name === entry.preset);
    if (!preset) {
      const known = presets.map((one) => one.name);
      const message = formatUnknownPreset(name, entry.preset, known);
      return [errorAt([...at, 'preset'], message, 'preset')];
    }
    if (findPresetError(preset)) return [];
    return readValues(preset.parameters, entry.values, [...at, 'values']).errors ?? [];
  });
}
