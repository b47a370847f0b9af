import type { TenantRuleId } from '../findings/tenant-rules.ts';
import { formatFinding, prefixFinding, type Finding } from '@tenantry/kube/finding';
import { errorAt, type TenantFinding } from '../findings/tenant-finding.ts';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { ResourceEntry, ResourcePreset } from '../../crds/resources.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import { readManifest } from '../resource-presets/manifest.ts';
import {
  renderPreset,
  formatOrigin,
  type PresetObject,
  type PresetContext,
} from '../resource-presets/preset-objects.ts';
import { readValues } from '../resource-presets/parameters.ts';
import { findPresetError } from '../resource-presets/preset-faults.ts';
import { formatUnknownPreset, type Layer } from './layer.ts';
import type { ExtraResource } from './resolved.ts';

/** Resolves the further objects of a namespace on a cluster, from all layers: they add up. */
export function resolveResources(
  layers: readonly Layer[],
  klass: TenantClassDeclaration,
  place: PresetContext,
  report: FindingReporter,
): ExtraResource[] {
  return layers.flatMap((layer) =>
    (layer.settings.resources ?? []).flatMap((entry, i) => {
      const { byTenant } = layer;
      const at = (...rest: Path): Path => layer.at('resources', i, ...rest);
      if (entry.preset !== undefined)
        return resolvePresetUse(entry, at, byTenant, klass, place, report);
      const where = at('manifest');
      const { manifest, remarks } = readManifest(
        isMapping(entry.manifest) ? entry.manifest : NO_OBJECT,
      );
      if (byTenant) for (const remark of remarks) report(prefixFinding(where, remark));
      return [{ manifest, path: where, byTenant }];
    }),
  );
}

/** A placeholder for an invalid manifest, which the rules refuse. */
const NO_OBJECT: KubeObject = { apiVersion: '', kind: '', metadata: { name: '' } };

/** Receives the reason why a preset cannot be rendered. */
type FindingReporter = (finding: Finding) => void;

/** The rule of findings about a class, which are reported where the class is declared. */
export const CLASS_PRESET_RULE = 'class-preset' satisfies TenantRuleId;

/** Renders the preset of an entry; nothing if there is an error. */
function resolvePresetUse(
  { preset: name = '', values: given }: ResourceEntry,
  here: (...rest: Path) => Path,
  byTenant: boolean,
  klass: TenantClassDeclaration,
  place: PresetContext,
  report: FindingReporter,
): ExtraResource[] {
  const presets = klass.spec.presets?.resources ?? [];
  const preset = presets.find((one) => one.name === name);
  if (!preset) {
    const known = presets.map((one) => one.name);
    const rule = byTenant ? 'preset' : CLASS_PRESET_RULE;
    report(errorAt(here('preset'), formatUnknownPreset(klass.name, name, known), rule));
    return [];
  }
  const broken = findPresetError(preset);
  if (broken) {
    report(
      errorAt(here('preset'), formatBrokenPreset(preset, klass.name, broken), CLASS_PRESET_RULE),
    );
    return [];
  }
  const { values, errors } = readValues(preset.parameters, given, here('values'));
  if (errors) {
    const ofClass = { path: here(), rule: CLASS_PRESET_RULE };
    for (const error of errors) report(byTenant ? error : { ...error, ...ofClass });
    return [];
  }
  return renderPreset(preset, values, place).flatMap((made) => {
    for (const one of made.findings) report(toUseFinding(one, made, here));
    if (made.findings.length > 0) return [];
    return [{ manifest: made.value as KubeObject, path: here(), byTenant, origin: made.origin }];
  });
}

function formatBrokenPreset({ name }: ResourcePreset, klass: string, broken: Finding): string {
  return `must be a preset of class ${klass} that can be used, got '${name}': ${formatFinding(broken)}`;
}

function toUseFinding(
  finding: TenantFinding<'placeholder'>,
  { origin }: PresetObject,
  here: (...rest: Path) => Path,
): Finding {
  const message = `${finding.message} (${formatOrigin(origin, finding.path)})`;
  const byValue = finding.atKey === true;
  return errorAt(here(byValue ? 'values' : 'preset'), message, finding.rule);
}
