import { versionsOf, type Definition, type Version } from '../definition.ts';
import { pruneValue } from '../../schema/admission.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

const known = new WeakMap<Version, JSONSchemaProps>();

/**
 * Returns the schema of a version with all defaults that its objects get. They include the storage
 * version's own defaults for fields of both versions, because stored objects get those before they
 * are converted.
 *
 * With a webhook, the result is the schema of the version itself: the conversion of a field is
 * unknown.
 *
 * Source: Kubernetes 1.36, k8s.io/apiextensions-apiserver (crdConversionRESTOptionsGetter)
 */
export function schemaWithStoredDefaults(
  definition: Definition,
  version: Version,
): JSONSchemaProps {
  const storage = versionsOf(definition).find((one) => one.storage);
  const isConverted = (definition.conversion?.strategy ?? 'None') !== 'None';
  if (version.storage || isConverted || !storage) return version.schema;
  const schema = known.get(version) ?? withDefaultsOf(storage.schema, version.schema);
  known.set(version, schema);
  return schema;
}

/** A schema with the defaults of another one, where it has none itself. */
function withDefaultsOf(other: JSONSchemaProps, schema: JSONSchemaProps): JSONSchemaProps {
  const { properties, additionalProperties, items } = schema;
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, field, fieldOf(other, name)] as const,
  );
  const entries = fields.map(([name, field, its]) => [name, its ? defaulted(its, field) : field]);
  const keys = other.additionalProperties;
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(entries) as typeof properties }),
    ...(typeof additionalProperties === 'object' &&
      typeof keys === 'object' && { additionalProperties: defaulted(keys, additionalProperties) }),
    ...(items && other.items && { items: defaulted(other.items, items) }),
  };
}

function fieldOf({ properties = {} }: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** On reading, the API server prunes the part of the default that the version does not declare. */
function defaulted(other: JSONSchemaProps, schema: JSONSchemaProps): JSONSchemaProps {
  const filled = withDefaultsOf(other, schema);
  const own = schema.default ?? undefined;
  const its = other.default ?? undefined;
  if (own !== undefined || its === undefined) return filled;
  return { ...filled, default: pruneValue(schema, its).value as typeof its };
}
