import { getVersion, type Definition, type Schemas, type Version } from './definition.ts';
import { DNS_LABEL } from '@tenantry/kube/names';
import type { KubeObject } from '@tenantry/kube/object';
import { sampleValue } from './schema/sample.ts';
import type { JSONSchemaProps } from './schema/json-schema.ts';

/**
 * An object of a version that the API server accepts, always the same: what a person would declare,
 * without a status. Fields are filled in as `sampleValue` does.
 *
 * @example
 * ```ts
 * import { sampleObject } from '@tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * console.log(sampleObject(redis, 'v1')['spec']); // { image: 'redis:8' }
 * const full = sampleObject(redis, 'v1', { full: true });
 * console.log(full['spec']); // { image: 'redis:8', replicas: 1 }
 * ```
 *
 * @param options.full every field once, instead of those that have to be there. @default false
 * @throws {Error} where the definition has no such version
 * @throws {NoSample} where no valid value is found for a field: an `example` there helps
 */
export function sampleObject<S extends Schemas>(
  definition: Definition<S>,
  version: keyof S & string,
  options: { readonly full?: boolean } = {},
): KubeObject {
  const { kind } = definition;
  const name = {
    type: 'string',
    pattern: DNS_LABEL,
    maxLength: 63,
    example: `${kind.toLowerCase()}-sample`,
  };
  const {
    properties = {},
    required = [],
    ...rest
  } = wholeObject(kind, getVersion(definition, version), { name });
  const { status: _, ...declared } = properties;
  const fields = required.filter((field) => field !== 'status');
  const schema = { ...rest, required: fields, properties: declared };
  return sampleValue(schema, options) as unknown as KubeObject;
}

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
