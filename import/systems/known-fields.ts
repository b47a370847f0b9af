import { isMapping } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';

/**
 * Lists the fields of a valid value that its schema has: scalars, and lists and mappings that are empty. Fields that the
 * schema lacks are not listed.
 */
export function listKnownFields(
  schema: JSONSchemaProps,
  value: unknown,
  path: Path = [],
): readonly Path[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    if (value.length === 0 || !items) return [path];
    return value.flatMap((item: unknown, i) => listKnownFields(items, item, [...path, i]));
  }
  if (!isMapping(value)) return [path];
  const { properties, additionalProperties } = schema;
  if (Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, inner]) => {
    const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    const field = own ?? additionalProperties;
    return typeof field === 'object' ? listKnownFields(field, inner, [...path, key]) : [];
  });
}
