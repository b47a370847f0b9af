import type { CustomResourceDefinitionManifest } from '../../../crds/custom-resource-definition.ts';
import { crdManifest, definitionOf } from '../../../crds/definition.ts';
import { importDefinitions } from '../../../crds/import.ts';
import { readDefinitions } from '../../../crds/manifests.ts';
import type { BundleManifest } from '../../../olm/bundle/bundle.ts';
import {
  findDifferences,
  normalizeDefinition,
} from '../../../olm/normalization/normalized-bundle.ts';

/** A definition of a bundle as a module of TypeScript. */
export interface DefinitionModule {
  readonly manifest: CustomResourceDefinitionManifest;
  readonly path: string;
  readonly text: string;
  /** The name under which it exports the definition. */
  readonly name: string;
}

/**
 * Renders a CustomResourceDefinition as a module, as `crd import` writes it. Returns undefined if
 * the module would not define the same: another version of the format, names that are not file
 * names, or fields that the reader of definitions drops.
 * @param source from where the definition can be imported again
 * @param converted the definitions whose conversion OLM fills in
 */
export function buildDefinitionModule(
  { file, value }: BundleManifest,
  source: string,
  converted: ReadonlySet<unknown>,
): DefinitionModule | undefined {
  const { definitions, problems } = readDefinitions(file, JSON.stringify(value));
  const [located] = definitions;
  if (!located || definitions.length > 1 || problems.length > 0) return undefined;
  const { modules } = importDefinitions([{ located, source }]);
  const [module] = modules;
  if (!module) return undefined;
  const manifest = crdManifest(definitionOf(located.manifest));
  const bare = { ...manifest, spec: { ...manifest.spec } };
  delete bare.spec.conversion;
  const [one, other] = [value, bare as unknown as typeof value].map((each) =>
    normalizeDefinition(each, converted),
  );
  if (findDifferences(one, other).length > 0) return undefined;
  return { manifest, path: module.path, text: module.text, name: module.definition };
}
