import type { CustomResourceDefinitionManifest } from '../customresourcedefinition.ts';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';
import { isMapping } from '../../kube/mapping.ts';
import type { CompareOptions } from './definitions.ts';
import { hasRules } from './schemasubjects.ts';

/** Something that decides, and that two definitions do not show. */
export interface Unseen {
  readonly rule: string;
  /** What was not checked, and who can. */
  readonly message: string;
}

/** What a comparison of two definitions did not ask, though it matters. */
export function unseen(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  options: CompareOptions = {},
): Unseen[] {
  const found: Unseen[] = [];
  const schemas = after.spec.versions.flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  if (schemas.some(anyRules)) {
    const message =
      'the cost of CEL rules: the API server alone estimates it; a dry run (`kubectl apply --dry-run=server`) tells';
    found.push({ rule: 'MustNotExceedCostBudget', message });
  }
  const served = after.spec.versions.filter((version) => version.served);
  if (after.spec.conversion?.strategy === 'Webhook' && served.length > 1) {
    const message =
      'whether the conversion webhook keeps everything: its work is not in the definition';
    found.push({ rule: 'served-versions', message });
  }
  const names = new Set(after.spec.versions.map(({ name }) => name));
  const gone = before.spec.versions.filter(({ name, storage }) => !storage && !names.has(name));
  if (gone.length > 0 && options.storedVersions === undefined) {
    const message = `whether objects are stored in ${gone.map(({ name }) => name).join(', ')}: status.storedVersions of OLD is not known`;
    found.push({ rule: 'stored-version', message });
  }
  return found;
}

function anyRules(schema: JSONSchemaProps): boolean {
  const { properties, additionalProperties, items } = schema;
  return (
    hasRules(schema) ||
    Object.values(properties ?? {}).some(anyRules) ||
    (isMapping(additionalProperties) && anyRules(additionalProperties)) ||
    (items !== undefined && anyRules(items))
  );
}
