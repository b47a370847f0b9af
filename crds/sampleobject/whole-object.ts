import type { Version } from '../definition.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/**
 * Returns the schema of a version's whole objects, including what the API server requires in
 * addition to the version's own schema. These are apiVersion, kind, metadata, and the numbers that
 * `kubectl scale` reads.
 * @param metadata the fields of metadata, all of them required except labels and annotations
 */
export function wholeObject(
  kind: string,
  { apiVersion, schema, subresources }: Version,
  metadata: Readonly<Record<string, JSONSchemaProps>>,
): JSONSchemaProps {
  const { scale } = subresources;
  const counts = scale ? [scale.specReplicasPath, scale.statusReplicasPath] : [];
  const { properties = {}, ...rest } = counts.reduce<JSONSchemaProps>(
    (scaled, path) => countAt(scaled, path.split('.').slice(1)),
    schema,
  );
  const bounds = properties['metadata']?.properties ?? {};
  const fields = Object.entries(metadata).map(([name, field]) => [
    name,
    { ...field, ...bounds[name] },
  ]);
  return {
    ...rest,
    required: [...new Set(['apiVersion', 'kind', 'metadata', ...(rest.required ?? [])])],
    properties: {
      ...properties,
      apiVersion: { type: 'string', enum: [apiVersion] },
      kind: { type: 'string', enum: [kind] },
      metadata: {
        type: 'object',
        required: Object.keys(metadata).filter(
          (name) => name !== 'labels' && name !== 'annotations',
        ),
        properties: Object.fromEntries(fields) as Record<string, JSONSchemaProps>,
      },
    },
  };
}

/** Source: Kubernetes 1.36, k8s.io/apiextensions-apiserver, validation of custom resources */
function countAt(schema: JSONSchemaProps, path: readonly string[]): JSONSchemaProps {
  const [name, ...rest] = path;
  if (name === undefined) {
    const { minimum = 0, maximum = 2 ** 31 - 1 } = schema;
    return { ...schema, minimum: Math.max(0, minimum), maximum: Math.min(2 ** 31 - 1, maximum) };
  }
  const field = schema.properties?.[name];
  if (!field) return schema;
  return { ...schema, properties: { ...schema.properties, [name]: countAt(field, rest) } };
}
