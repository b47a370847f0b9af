import type { TenantSpec } from '../../crds/tenantry/types.ts';
import { isMapping } from '../../kube/mapping.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/**
 * The spec of a Tenant without the mappings that say nothing. Server-side apply writes a mapping as null whose fields its applier all
 * gives up, and the API server refuses that: a Tenant whose `access` became `{}` would not sync until Git changes.
 *
 * No mapping means the same as an empty one, but for selectors, which then select everything. In lists without keys, which
 * are applied as a whole, nothing is left out. It is not for TenantClasses: an empty `allowedTenants` allows nobody.
 */
export function withoutEmptyMaps(schema: JSONSchemaProps, spec: TenantSpec): TenantSpec {
  return stripFields(schema, spec as Record<string, unknown>) as TenantSpec;
}

/** The value itself where it says something in each of its mappings. */
function stripFields(
  schema: JSONSchemaProps,
  value: Record<string, unknown>,
): Record<string, unknown> {
  let less: Record<string, unknown> | undefined;
  for (const [key, one] of Object.entries(value)) {
    const inner = schema.properties?.[key];
    if (!inner) continue;
    const left = stripValue(inner, one, schema.required?.includes(key));
    if (left === one) continue;
    less ??= { ...value };
    if (left === undefined) delete less[key];
    else less[key] = left;
  }
  return less ?? value;
}

function stripValue(schema: JSONSchemaProps, value: unknown, isRequired = false): unknown {
  if (Array.isArray(value)) return stripItems(schema, value);
  if (!isMapping(value) || isAtomic(schema)) return value;
  const left = stripFields(schema, value);
  return Object.keys(left).length === 0 && !isRequired ? undefined : left;
}

/** Of a list by keys each item is applied field by field, as the mapping around it is. */
function stripItems(list: JSONSchemaProps, values: readonly unknown[]): readonly unknown[] {
  const { items } = list;
  if (!items || list['x-kubernetes-list-type'] !== 'map') return values;
  const left = values.map((one) => (isMapping(one) ? stripFields(items, one) : one));
  return left.every((one, i) => one === values[i]) ? values : left;
}

function isAtomic(schema: JSONSchemaProps): boolean {
  const { properties } = schema;
  const isSelector = properties !== undefined && 'matchLabels' in properties;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isSelector || isOpen || schema['x-kubernetes-map-type'] === 'atomic';
}
