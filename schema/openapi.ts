import type { JSONSchemaProps } from './jsonschema.ts';

/**
 * A schema as `spec.versions[].schema.openAPIV3Schema` of a CustomResourceDefinition: a copy of
 * what the API server takes, without what stands under symbols.
 */
export function openApi(schema: JSONSchemaProps): JSONSchemaProps {
  return copy(schema) as JSONSchemaProps;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(fields.map(([key, inner]) => [key, copy(inner)]));
}
