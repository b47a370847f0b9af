import type { JSONSchemaProps } from '../json-schema.ts';

/** Returns the kind of value that a schema most likely accepts. */
export function kindOf(schema: JSONSchemaProps): 'object' | 'list' | 'scalar' | 'anything' {
  if (schema['x-kubernetes-int-or-string']) return 'scalar';
  if (schema.type === 'array') return 'list';
  if (schema.type === 'object') return 'object';
  if (schema.type !== undefined) return 'scalar';
  if (schema.properties || schema.additionalProperties || schema.required) return 'object';
  return schema.items ? 'list' : 'anything';
}

const conditions = [
  'x-kubernetes-validations',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'maxProperties',
  'minProperties',
  'enum',
] as const;

/** Whether a value whose parts are valid can still be wrong as a whole. */
export function hasConditions(schema: JSONSchemaProps): boolean {
  return (
    conditions.some((field) => schema[field] !== undefined) ||
    schema['x-kubernetes-embedded-resource'] === true
  );
}
