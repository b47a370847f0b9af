import type { TenantSpec } from '../../crds/tenantry/types.ts';
import { isMapping } from '../../kube/mapping.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/**
 * Returns the spec of a Tenant without empty mappings. Server-side apply writes null for a mapping whose fields its
 * applier all gives up, and the API server refuses that. A Tenant whose `access` became `{}` would not sync until Git
 * changes.
 *
 * An absent mapping means the same as an empty one, except for selectors, where an empty one selects everything. Lists
 * without keys are applied as a whole, so nothing is left out of them. This is not for TenantClasses: an empty
 * `allowedTenants` allows nobody.
 */
export function withoutEmptyMaps(schema: JSONSchemaProps, spec: TenantSpec): TenantSpec {
  return stripFields(schema, spec as Record<string, unknown>) as TenantSpec;
}

/** Returns the value without empty mappings, or undefined if nothing is left. */
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

/** Strips the items of a list with keys, whose items are applied field by field. */
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
