import { isMapping } from '../../kube/mapping.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

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
