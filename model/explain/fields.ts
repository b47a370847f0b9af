import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { isMapping } from '@tenantry/kube/mapping';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';

/**
 * Returns the schema of a setting by its path, in which items of lists are named by their keys; undefined for a setting
 * that no Tenant has. Below `class` are the fields of a TenantClass.
 */
export function findFieldSchema(path: readonly string[]): JSONSchemaProps | undefined {
  if (path[0] === 'class') return walk(tenantClass.spec, path.slice(1));
  const { namespaces } = tenant.spec.properties ?? {};
  const [ofNamespace] = [namespaces?.items].flat();
  return walk(tenant.spec, path) ?? (isMapping(ofNamespace) ? walk(ofNamespace, path) : undefined);
}

function walk(schema: JSONSchemaProps, path: readonly string[]): JSONSchemaProps | undefined {
  let at: JSONSchemaProps = schema;
  for (const part of path) {
    const { items, properties, additionalProperties }: JSONSchemaProps = at;
    const inner: unknown = items ?? properties?.[part] ?? additionalProperties;
    if (!isMapping(inner)) return undefined;
    at = inner;
  }
  return at;
}

/** Lists the names of the fields that a setting can have. */
export function listFieldNames(path: readonly string[]): readonly string[] {
  const schema = findFieldSchema(path);
  const known = Object.keys(schema?.properties ?? {});
  return path.length === 0 ? [...known, 'class'] : known;
}
