import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/**
 * Returns a field of one version that another one lacks, such as `spec.size`; undefined if there is none. Without a
 * conversion webhook, the API server drops it when an object is converted from the first version to the second.
 */
export function findLostField(from: JSONSchemaProps, to: JSONSchemaProps): string | undefined {
  return findLostBelow(withoutMetadata(from), to, []);
}

/** The metadata of an object is never dropped, whether the schema describes it or not. */
function withoutMetadata({ properties = {}, ...schema }: JSONSchemaProps): JSONSchemaProps {
  const { apiVersion: _, kind: __, metadata: ___, ...others } = properties;
  return { ...schema, properties: others };
}

type Path = readonly string[];

function findLostBelow(from: JSONSchemaProps, to: JSONSchemaProps, path: Path): string | undefined {
  if (keepsAll(from) && !keepsAll(to)) return formatFieldPath(path);
  for (const [name, schema] of Object.entries(from.properties ?? {})) {
    const lost = findLostAt(schema, to.properties?.[name] ?? to.additionalProperties, to, [
      ...path,
      name,
    ]);
    if (lost !== undefined) return lost;
  }
  if (typeof from.items === 'object') {
    const lost = findLostAt(from.items, to.items, to, [...path, '*']);
    if (lost !== undefined) return lost;
  }
  const { additionalProperties } = from;
  if (additionalProperties === undefined || additionalProperties === false) return undefined;
  return findLostAt(additionalProperties, to.additionalProperties, to, [...path, '*']);
}

function findLostAt(
  from: JSONSchemaProps | boolean,
  to: JSONSchemaProps | boolean | undefined,
  parent: JSONSchemaProps,
  path: Path,
): string | undefined {
  if (to === undefined || to === false) return keepsAll(parent) ? undefined : formatFieldPath(path);
  if (from === true || to === true || from === false) return undefined;
  return findLostBelow(from, to, path);
}

/** Whether undescribed fields below it are kept. */
const keepsAll = (schema: JSONSchemaProps): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true;

const formatFieldPath = (path: Path): string =>
  path.length === 0 ? 'fields of any name' : path.join('.');
