import { prefixFinding, type Finding } from '@tenantry/kube/finding';
import { errorAt, warningAt } from '../findings/tenant-finding.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { show, type Path } from '@tenantry/kube/problem';
import { resourceContext, type ResourcePreset } from '../../crds/resources.ts';
import { removeLeftovers } from './manifest.ts';
import { findPlaceholders, formatUnknownPlaceholder, type Placeholder } from '../placeholders.ts';
import { validateParameters, listParameters, type Parameter } from './parameters.ts';

const known = new WeakMap<ResourcePreset, readonly Finding[]>();

/**
 * Validates a preset, independent of its uses and of what its class allows; the paths begin at the preset. With an
 * error it cannot be rendered. The result is cached for each preset object, which must not be changed afterwards.
 */
export function validateResourcePreset(preset: ResourcePreset): readonly Finding[] {
  const found = known.get(preset) ?? collectFindings(preset);
  known.set(preset, found);
  return found;
}

/** Returns the first error of a preset; with an error the preset cannot be used. */
export function findPresetError(preset: ResourcePreset): Finding | undefined {
  return validateResourcePreset(preset).find(({ severity }) => severity === 'error');
}

function collectFindings(preset: ResourcePreset): readonly Finding[] {
  const ofSchema = validateParameters(preset.parameters);
  if (ofSchema.length > 0) return ofSchema.map((one) => prefixFinding(['parameters'], one));
  const parameters = listParameters(preset.parameters);
  const used = new Set<string>();
  const ofManifests = preset.manifests.flatMap((manifest, i) => {
    const at = ['manifests', i];
    const placeholders = findPlaceholders(manifest);
    for (const { name } of placeholders) used.add(name);
    const faults = placeholders.flatMap((one) => findPlaceholderFault(one, parameters) ?? []);
    const { dropped } = removeLeftovers(manifest);
    return [...faults, ...findNamespaceFault(manifest), ...dropped].map((one) =>
      prefixFinding(at, one),
    );
  });
  const unused = parameters.flatMap(({ name }) => {
    if (used.has(name)) return [];
    const message = `must be used in a manifest, as {${name}}: otherwise its value has no effect`;
    const finding = warningAt(['parameters', 'properties', name], message, 'unused-parameter');
    return [{ ...finding, atKey: true }];
  });
  return [...ofManifests, ...unused];
}

/** Finds the problem with a placeholder at its place. */
function findPlaceholderFault(
  { name, path, atKey, whole }: Placeholder,
  parameters: readonly Parameter[],
): Finding | undefined {
  const fault = (message: string): Finding => ({
    ...errorAt(path, message, 'placeholder'),
    ...(atKey && { atKey }),
  });
  const parameter = parameters.find((one) => one.name === name);
  const context: readonly string[] = resourceContext;
  if (!parameter && !context.includes(name)) {
    return fault(
      formatUnknownPlaceholder(name, [...parameters.map((one) => one.name), ...context]),
    );
  }
  if (mustBeLiteral(path, atKey)) {
    return fault(`must be written out without placeholders, got {${name}}`);
  }
  if (parameter?.optional && isName(path)) {
    return fault(
      `must hold parameters that always have a value, got {${name}}: require it, or give it a default`,
    );
  }
  if (parameter?.optional && !whole) {
    return fault(
      `must hold parameters that always have a value within a longer text, got {${name}}: require it, give it a default, or use it as the whole text`,
    );
  }
  if (parameter && !parameter.scalar && (atKey || !whole)) {
    const where = atKey ? 'in a key' : 'within a longer text';
    return fault(
      `must hold only parameters of type string, number, integer or boolean ${where}, got {${name}}`,
    );
  }
  return undefined;
}

/** Whether a path leads to a part that identifies the object: its own fields, those of its metadata, and its kind. */
function mustBeLiteral(path: Path, atKey: boolean): boolean {
  if (path[0] === 'metadata') return path.length === 1 || (atKey && path.length === 2);
  if (path.length > 1) return false;
  return atKey || path[0] === 'apiVersion' || path[0] === 'kind';
}

const isName = ([part, field]: Path): boolean => part === 'metadata' && field === 'name';

function findNamespaceFault({ metadata }: Readonly<Record<string, unknown>>): Finding[] {
  const namespace = isMapping(metadata) ? metadata['namespace'] : undefined;
  if (namespace === undefined) return [];
  const message = `must be left out: the object lies in the namespace that uses the preset, got ${show(namespace)}`;
  return [errorAt(['metadata', 'namespace'], message, 'resource-namespace')];
}
