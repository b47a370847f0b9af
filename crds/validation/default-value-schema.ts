import { enforcedFormat } from '../../schema/format.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

export interface DefaultSchema {
  readonly validated: JSONSchemaProps;
  /**
   * There is a format that its type does not have. For objects the API server forgets it first; for
   * defaults it does not. Then some values of another type pass, and where the type is no string, some
   * of that type do not.
   */
  readonly oddFormat: 'of a string' | 'elsewhere' | undefined;
}

/**
 * The schema by which the API server looks at defaults: not quite the one for objects, since
 * `x-kubernetes-int-or-string` alone lets any default pass. As under allOf everywhere, values are all
 * that it is about: unknown fields, list types and CEL rules are looked at apart or not at all.
 */
export function buildDefaultSchema(schema: JSONSchemaProps): DefaultSchema {
  const { validated, oddFormat } = withoutIntOrString(schema);
  const around = { 'x-kubernetes-preserve-unknown-fields': true, allOf: [validated] };
  return { validated: around, oddFormat };
}

function withoutIntOrString(schema: JSONSchemaProps): DefaultSchema {
  const { 'x-kubernetes-int-or-string': _, ...rest } = schema;
  const copy: { -readonly [K in keyof JSONSchemaProps]: JSONSchemaProps[K] } = rest;
  let oddFormat = oddFormatOf(schema);
  const within = (inner: JSONSchemaProps): JSONSchemaProps => {
    const made = withoutIntOrString(inner);
    if (oddFormat !== 'elsewhere') oddFormat = made.oddFormat ?? oddFormat;
    return made.validated;
  };
  const { items, properties, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = schema;
  const clauses = [...allOf, ...anyOf, ...oneOf, ...(schema.not ? [schema.not] : [])];
  for (const clause of clauses) within(clause);
  if (items) copy.items = within(items);
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => [name, within(field)]);
    copy.properties = Object.fromEntries(fields) as Record<string, JSONSchemaProps>;
  }
  if (typeof additionalProperties === 'object') {
    copy.additionalProperties = within(additionalProperties);
  }
  return { validated: copy, oddFormat };
}

function oddFormatOf(schema: JSONSchemaProps): DefaultSchema['oddFormat'] {
  if (schema.format === undefined || enforcedFormat(schema) !== '') return undefined;
  return schema.type === 'string' ? 'of a string' : 'elsewhere';
}
