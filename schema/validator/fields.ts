import type { JSONSchemaProps } from '../jsonschema.ts';
import type { Check, Kinds, Node } from './types.ts';

interface Field {
  readonly accepts: Check;
  readonly isRequired: boolean;
}

/** Whether the fields of an object are valid, and are those, and as many, as they must be. */
export function objectCheck(
  schema: JSONSchemaProps,
  node: Node,
  fits: Kinds['object'],
): Kinds['object'] {
  const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
  const fields = new Map<string, Field>();
  for (const [name, { accepts }] of node.fields) {
    fields.set(name, { accepts, isRequired: required.includes(name) });
  }
  const wanted = [...fields.values()].filter(({ isRequired }) => isRequired).length;
  const others = required.filter((name) => !fields.has(name));
  const { extra } = node;
  const accepted = typeof extra === 'object' ? extra.accepts : undefined;
  const refused = extra === 'refused';

  return (object, doubts) => {
    const keys = Object.keys(object);
    let there = 0;
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i]!;
      const field = fields.get(key);
      if (field !== undefined) {
        if (!field.accepts(object[key], doubts)) return false;
        if (field.isRequired) there += 1;
      } else if (accepted !== undefined) {
        if (!accepted(object[key], doubts)) return false;
      } else if (refused) return false;
    }
    if (there < wanted || keys.length < minProperties || keys.length > maxProperties) return false;
    for (const name of others) if (!Object.hasOwn(object, name)) return false;
    return fits(object, doubts);
  };
}
