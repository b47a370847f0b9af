import type { Path } from '../../kube/problem.ts';
import type { BoundOverrides } from '../../schema/cel.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/** A list or a mapping that a schema stands in. */
export interface EnclosingCollection {
  readonly schema: JSONSchemaProps;
  readonly path: Path;
  /** The field of it that bounds how often what is in it comes. */
  readonly bound: 'maxItems' | 'maxProperties';
}

/**
 * What makes the fields and items of a schema come more than once in an object; undefined where they
 * come once for each time that it comes.
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

/** How often a schema comes in one object at most; undefined where something around it has no bound. */
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
