import type { TenantSpec } from '../../crds/tenantry/types.ts';
import { isMapping } from '../../kube/mapping.ts';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';

/**
 * The spec of a Tenant without the mappings that say nothing. Server-side apply writes a mapping as null whose fields its applier all
 * gives up, and the API server refuses that: a Tenant whose `access` became `{}` would not sync until Git changes.
 *
 * No mapping means the same as an empty one, but for selectors, which then select everything. In lists without keys, which
 * are applied as a whole, nothing is left out. It is not for TenantClasses: an empty `allowedTenants` allows nobody.
 */
export function withoutEmptyMaps(schema: JSONSchemaProps, spec: TenantSpec): TenantSpec {
  return kept(schema, spec as Record<string, unknown>) as TenantSpec;
}

function kept(schema: JSONSchemaProps, value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      const inner = schema.properties?.[key];
      if (!inner) return [[key, one]];
      if (Array.isArray(one)) return [[key, inItems(inner, one)]];
      if (!isMapping(one) || isWhole(inner)) return [[key, one]];
      const left = kept(inner, one);
      const isNothing = Object.keys(left).length === 0 && !schema.required?.includes(key);
      return isNothing ? [] : [[key, left]];
    }),
  );
}

/** Of a list by keys each item is applied field by field, as the mapping around it is. */
function inItems({ items, ...list }: JSONSchemaProps, values: readonly unknown[]): unknown[] {
  if (!items || list['x-kubernetes-list-type'] !== 'map') return [...values];
  return values.map((one) => (isMapping(one) ? kept(items, one) : one));
}

function isWhole({ properties, ...schema }: JSONSchemaProps): boolean {
  const isSelector = properties !== undefined && 'matchLabels' in properties;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isSelector || isOpen || schema['x-kubernetes-map-type'] === 'atomic';
}
