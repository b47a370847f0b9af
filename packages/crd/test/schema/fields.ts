import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/** Lists every field by its path, with its type; required fields have a `!`. */
export function fieldsOf(schema: JSONSchemaProps): Map<string, string> {
  const fields = new Map<string, string>();
  visit(schema, (path, one, mandatory) => {
    fields.set(path, `${typeOf(one)}${mandatory ? '!' : ''}`);
  });
  return fields;
}

/** Lists enums by their paths. */
export function wordsOf(schema: JSONSchemaProps): Map<string, readonly unknown[]> {
  const words = new Map<string, readonly unknown[]>();
  visit(schema, (path, one) => {
    if (one.enum) words.set(path, one.enum.toSorted());
  });
  return words;
}

/** Lists the paths at which their fields and ours differ. */
export const differing = (
  theirs: ReadonlyMap<string, unknown>,
  ours: ReadonlyMap<string, unknown>,
): string[] =>
  [...new Set([...theirs.keys(), ...ours.keys()])].filter(
    (path) => String(theirs.get(path)) !== String(ours.get(path)),
  );

type See = (path: string, schema: JSONSchemaProps, mandatory: boolean) => void;

function visit(schema: JSONSchemaProps, see: See, path = '', mandatory = false): void {
  see(path, schema, mandatory);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const inner = path === '' ? name : `${path}.${name}`;
    visit(field, see, inner, schema.required?.includes(name) ?? false);
  }
  if (schema.items) visit(schema.items, see, `${path}[]`);
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object') visit(additionalProperties, see, `${path}{}`);
}

function typeOf(schema: JSONSchemaProps): string {
  if (schema['x-kubernetes-int-or-string']) return 'int-or-string';
  return schema.type ?? 'anything';
}
