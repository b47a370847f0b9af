import type { Path } from '../../kube/problem.ts';
import type { BoundOverrides } from '../../schema/cel.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/** A list or a mapping that contains a schema. */
export interface EnclosingCollection {
  readonly schema: JSONSchemaProps;
  readonly path: Path;
  /** The field that limits the number of its elements. */
  readonly bound: 'maxItems' | 'maxProperties';
}

/**
 * Returns what makes the fields and items of a schema occur several times in an object; undefined
 * if they occur as often as the schema itself.
 *
 * Source: extractMaxElements of apiextensions-apiserver (cel_validation.go)
 */
export function findRepetition(
  schema: JSONSchemaProps,
  path: Path,
): EnclosingCollection | undefined {
  if (schema.type === 'array') return { schema, path, bound: 'maxItems' };
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  return isMap ? { schema, path, bound: 'maxProperties' } : undefined;
}

/** Returns how often a schema can occur in one object; undefined if an enclosing collection has no bound. */
export function timesWithin(
  around: readonly EnclosingCollection[],
  others?: BoundOverrides,
): bigint | undefined {
  let times = 1n;
  for (const { schema, bound } of around) {
    const most = others?.get(schema) ?? schema[bound];
    if (most === undefined) return undefined;
    times *= BigInt(Math.max(most, 0));
  }
  return times;
}
