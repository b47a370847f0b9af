import { setField } from './admission/defaulting.ts';
import type { JSONSchemaProps } from './json-schema.ts';

/**
 * Returns a schema as `spec.versions[].schema.openAPIV3Schema` of a CustomResourceDefinition: a copy without the
 * properties under symbols.
 */
export function openApi(schema: JSONSchemaProps): JSONSchemaProps {
  return copy(schema) as JSONSchemaProps;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  const copied: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (inner !== undefined) setField(copied, key, copy(inner));
  }
  return copied;
}
