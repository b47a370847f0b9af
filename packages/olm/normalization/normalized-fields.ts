import { isMapping } from '@tenantry/kube/mapping';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';

export type Mapping = Readonly<Record<string, unknown>>;

/** The metadata fields that a cluster writes. */
const written = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Removes the metadata that a cluster writes, and empty lists and maps in the metadata. */
export function stripClusterFields(object: Mapping): Mapping {
  const { metadata } = object;
  if (!isMapping(metadata)) return object;
  const kept = Object.entries(metadata).filter(
    ([key, value]) => !written.has(key) && !isEmpty(value),
  );
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** Whether a value is empty: null, '', an empty list or an empty mapping. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isMapping(value) && Object.keys(value).length === 0;
}

/** Removes the empty fields of a mapping. */
export function omitEmpty(mapping: Mapping): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([, value]) => !isEmpty(value)));
}

/** Removes the nulls in mappings, which are read as absent fields. */
export function omitNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitNulls);
  if (!isMapping(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([key, field]) => [key, omitNulls(field)]));
}

/**
 * Fills in missing required fields as OLM does: texts, numbers, flags and lists become empty values. Missing
 * enumerations stay missing.
 */
export function fillRequiredFields(schema: JSONSchemaProps, value: unknown): unknown {
  const { properties, items, required = [] } = schema;
  if (Array.isArray(value))
    return items ? value.map((item) => fillRequiredFields(items, item)) : value;
  if (!isMapping(value) || !properties) return value;
  const filled = Object.entries(value).map(([key, field]) => {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return [key, inner ? fillRequiredFields(inner, field) : field] as const;
  });
  const left = required.flatMap((key) => {
    const empty = Object.hasOwn(value, key) ? undefined : emptyOf(properties[key]);
    return empty === undefined ? [] : [[key, empty] as const];
  });
  return Object.fromEntries([...filled, ...left]);
}

function emptyOf({ type, enum: words }: JSONSchemaProps = {}): unknown {
  if (words) return undefined;
  switch (type) {
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'integer':
      return 0;
    case 'array':
      return [];
    default:
      return undefined;
  }
}
