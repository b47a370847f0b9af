import type { Finding } from '../../kube/finding.ts';
import type { Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { buildUnknownFieldError } from '../validator/unknown-field.ts';

/** Builds the errors for fields that were pruned from a value, for strict field validation. */
export function buildUnknownFieldErrors(
  schema: JSONSchemaProps,
  pruned: readonly Path[],
): Finding[] {
  return pruned.map((path) => {
    const around = schemaAt(schema, path.slice(0, -1));
    const known = Object.keys(around?.properties ?? {});
    return buildUnknownFieldError(path, known.length > 0 ? known : undefined);
  });
}

function schemaAt(schema: JSONSchemaProps, path: Path): JSONSchemaProps | undefined {
  let at: JSONSchemaProps | undefined = schema;
  for (const part of path) at = at && schemaOfPart(at, part);
  return at;
}

function schemaOfPart(
  { items, properties = {}, additionalProperties }: JSONSchemaProps,
  part: string | number,
): JSONSchemaProps | undefined {
  if (typeof part === 'number') return items;
  if (Object.hasOwn(properties, part)) return properties[part];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
