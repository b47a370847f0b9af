import { groupOf, type KubeObject } from '../../../kube/object.ts';
import type { CustomResourceDefinitionManifest } from '../../../crds/custom-resource-definition.ts';
import { manifestOf } from '../../operator/parts/names.ts';
import type { OperatorKind } from '../../operator/parts/spec.ts';
import type { OperatorParts } from '../../operator/parts/parts.ts';

/** A manifest of a bundle, and the name of its file. */
export interface BundleObject {
  readonly file: string;
  readonly object: KubeObject;
}

/** Builds the definitions of kinds as a bundle contains them. */
export function buildDefinitions(kinds: readonly OperatorKind[] = []): BundleObject[] {
  return kinds.map((kind) => {
    const object = withoutConversion(manifestOf(kind));
    const { group, names } = object.spec;
    return { file: `${group}_${names.plural}.yaml`, object };
  });
}

/** Lists the objects of an operator that are neither its Deployment nor created by OLM. */
export function listSupportingObjects({ workload }: OperatorParts): BundleObject[] {
  const around = [
    workload.service,
    workload['service-monitor'],
    workload['network-policy'],
    workload['disruption-budget'],
  ].filter((object) => object !== undefined);
  return around.map((object) => ({
    file: formatFileName(object),
    object: withoutNamespace(object),
  }));
}

/**
 * Gives each object a file of its own, and leaves the objects unchanged.
 * @param others objects whose files already have names
 */
export function assignFileNames(
  objects: readonly KubeObject[],
  others: readonly BundleObject[],
): BundleObject[] {
  const taken = new Set(others.map(({ file }) => file));
  return objects.map((object) => {
    const name = formatFileName(object);
    let file = name;
    for (let i = 2; taken.has(file); i += 1) file = name.replace(/\.yaml$/, `_${i}.yaml`);
    taken.add(file);
    return { file, object };
  });
}

/** Removes the conversion, which OLM fills in: how a webhook of the bundle converts, and its URL. */
function withoutConversion(
  manifest: CustomResourceDefinitionManifest,
): CustomResourceDefinitionManifest {
  const { conversion: _, ...spec } = manifest.spec;
  return { ...manifest, spec };
}

/** Removes the namespace: OLM creates every object in the namespace of the operator. */
function withoutNamespace({ metadata, ...rest }: KubeObject): KubeObject {
  const { namespace: _, ...others } = metadata;
  const { apiVersion, kind, ...more } = rest;
  return { apiVersion, kind, metadata: others, ...more };
}

/** Formats `<name>_<group>_<version>_<kind>.yaml`, without a group for the core group. */
function formatFileName({ apiVersion, kind, metadata }: KubeObject): string {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const parts = [metadata.name, group, version, kind.toLowerCase()];
  const name = parts.filter((part) => part !== '').join('_');
  // Names of roles may contain any character.
  return `${name.replaceAll(/[^\w.-]/g, '-')}.yaml`;
}
