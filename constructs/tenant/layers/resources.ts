import { errorAt, formatFinding, within, type Finding } from '../../../kube/finding.ts';
import { isMapping } from '../../../kube/mapping.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Path } from '../../../kube/problem.ts';
import type { ResourceEntry, ResourcePreset } from '../../../crds/tenantry/resources.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import { readManifest } from '../resourcepresets/manifest.ts';
import { madeBy, placeWords, type Made, type UsePlace } from '../resourcepresets/made.ts';
import { readValues } from '../resourcepresets/parameters.ts';
import { brokenBy } from '../resourcepresets/preset-faults.ts';
import { unknownPresetWords, type Layer } from './layer.ts';
import type { ExtraResource } from './merged.ts';

/** The further objects of a namespace on a cluster, of all layers: they add up. */
export function resourcesOf(
  layers: readonly Layer[],
  klass: TenantClassDeclaration,
  place: UsePlace,
  tell: Tell,
): ExtraResource[] {
  return layers.flatMap((layer) =>
    (layer.settings.resources ?? []).flatMap((entry, i) => {
      const { byTenant } = layer;
      const at = (...rest: Path): Path => layer.at('resources', i, ...rest);
      if (entry.preset !== undefined) return used(entry, at, byTenant, klass, place, tell);
      const where = at('manifest');
      const { manifest, remarks } = readManifest(
        isMapping(entry.manifest) ? entry.manifest : NO_OBJECT,
      );
      if (byTenant) for (const remark of remarks) tell(within(where, remark));
      return [{ manifest, path: where, byTenant }];
    }),
  );
}

/** For the rules to refuse. */
const NO_OBJECT: KubeObject = { apiVersion: '', kind: '', metadata: { name: '' } };

/** Takes what keeps a preset from making anything. */
type Tell = (finding: Finding) => void;

/** The rule of what is wrong with a class, and reported where the class is declared. */
export const OF_CLASS: Finding['rule'] = 'class-preset';

/** What an entry makes of its preset; nothing where something is wrong. */
function used(
  { preset: name = '', values: given }: ResourceEntry,
  here: (...rest: Path) => Path,
  byTenant: boolean,
  klass: TenantClassDeclaration,
  place: UsePlace,
  tell: Tell,
): ExtraResource[] {
  const presets = klass.spec.presets?.resources ?? [];
  const preset = presets.find((one) => one.name === name);
  if (!preset) {
    const known = presets.map((one) => one.name);
    const rule = byTenant ? 'preset' : OF_CLASS;
    tell(errorAt(here('preset'), unknownPresetWords(klass.name, name, known), rule));
    return [];
  }
  const broken = brokenBy(preset);
  if (broken) {
    tell(errorAt(here('preset'), brokenWords(preset, klass.name, broken), OF_CLASS));
    return [];
  }
  const { values, errors } = readValues(preset.parameters, given, here('values'));
  if (errors) {
    const ofClass = { path: here(), rule: OF_CLASS };
    for (const error of errors) tell(byTenant ? error : { ...error, ...ofClass });
    return [];
  }
  return madeBy(preset, values, place).flatMap((made) => {
    for (const one of made.findings) tell(ofMaking(one, made, here));
    if (made.findings.length > 0) return [];
    return [{ manifest: made.value as KubeObject, path: here(), byTenant, origin: made.origin }];
  });
}

function brokenWords({ name }: ResourcePreset, klass: string, broken: Finding): string {
  return `must be a preset of class ${klass} that can be used, got '${name}': ${formatFinding(broken)}`;
}

function ofMaking(finding: Finding, { origin }: Made, here: (...rest: Path) => Path): Finding {
  const message = `${finding.message} (${placeWords(origin, finding.path)})`;
  const byValue = finding.atKey === true;
  return errorAt(here(byValue ? 'values' : 'preset'), message, finding.rule);
}
