import type { JSONSchemaProps } from '../json-schema.ts';
import type { Check, Kinds, SchemaNode } from './types.ts';

/** Builds the check of an object's fields: their values, the required fields, and their number. */
export function objectCheck(
  schema: JSONSchemaProps,
  node: SchemaNode,
  fits: Kinds['object'],
): Kinds['object'] {
  const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
  const fields = new Map<string, Check>();
  for (const [name, { accepts }] of node.fields) fields.set(name, accepts);
  const { extra } = node;
  const accepted = typeof extra === 'object' ? extra.accepts : undefined;
  const refused = extra === 'refused';

  return (object, doubts) => {
    const keys = Object.keys(object);
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i]!;
      const check = fields.get(key) ?? accepted;
      if (check === undefined ? refused : !check(object[key], doubts)) return false;
    }
    if (keys.length < minProperties || keys.length > maxProperties) return false;
    for (const name of required) if (!Object.hasOwn(object, name)) return false;
    return fits(object, doubts);
  };
}
