import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import type { Schema } from '@tenantry/crd/schema/language';

/**
 * Builds the schema of an object of a definition that others publish. The type is generated from the same
 * definition.
 */
export function publishedObject<T>(
  required: readonly string[],
  properties: Readonly<Record<string, Schema<unknown>>>,
  settings: JSONSchemaProps = {},
): Schema<T> {
  return { type: 'object', properties, ...(required.length > 0 && { required }), ...settings };
}
