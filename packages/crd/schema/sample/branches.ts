import type { Json } from '@tenantry/kube/object';
import type { JSONSchemaProps } from '../json-schema.ts';

/** The maximum number of combinations of branches; beyond it, only the search is used. */
const MAX_COMBINATIONS = 32;

/**
 * Lists the ways in which a value can satisfy a schema, each as a schema without allOf, anyOf and oneOf. Their contents
 * are folded into the fields around them. Each result is only a good guess, so a value made from it must be checked
 * against the schema itself. A schema without any of the three is returned unchanged.
 */
export function listBranches(schema: JSONSchemaProps): JSONSchemaProps[] {
  const { allOf = [], anyOf: given = [], oneOf = [], ...rest } = schema;
  // `anyOf: [{ type: integer }, { type: string }]` adds nothing to int-or-string itself.
  const anyOf = schema['x-kubernetes-int-or-string'] && given.every(isType) ? [] : given;
  if (allOf.length + anyOf.length + oneOf.length === 0) return [schema];
  let branches: JSONSchemaProps[] = [rest];
  for (const part of allOf) branches = crossed(branches, listBranches(part));
  for (const choices of [anyOf, oneOf]) {
    if (choices.length > 0) branches = crossed(branches, choices.flatMap(listBranches));
  }
  return branches;
}

function isType(schema: JSONSchemaProps): boolean {
  return Object.keys(schema).join() === 'type';
}

function crossed(left: JSONSchemaProps[], right: JSONSchemaProps[]): JSONSchemaProps[] {
  return left
    .flatMap((one) => right.map((other) => mergeSchemas(one, other)))
    .slice(0, MAX_COMBINATIONS);
}

/** Merges two schemas into one that requires what both require. Where only one can be satisfied, `b` wins. */
export function mergeSchemas(a: JSONSchemaProps, b: JSONSchemaProps): JSONSchemaProps {
  const merged: Mutable = { ...a, ...b };
  if (a.enum && b.enum) merged.enum = shared(a.enum, b.enum);
  if (a.properties && b.properties) merged.properties = allFields(a.properties, b.properties);
  if (a.required && b.required) merged.required = [...new Set([...a.required, ...b.required])];
  if (a.items && b.items) merged.items = mergeSchemas(a.items, b.items);
  Object.assign(merged, lowest(a, b), highest(a, b));
  const values = [a.additionalProperties, b.additionalProperties].filter(isSchema);
  if (values.length > 0) merged.additionalProperties = values.reduce(mergeSchemas);
  const rules = [a, b].flatMap((one) => one['x-kubernetes-validations'] ?? []);
  if (rules.length > 0) merged['x-kubernetes-validations'] = rules;
  return merged;
}

type Mutable = { -readonly [K in keyof JSONSchemaProps]: JSONSchemaProps[K] };
type Fields = Readonly<Record<string, JSONSchemaProps>>;

function allFields(a: Fields, b: Fields): Fields {
  const fields = new Map(Object.entries(a));
  for (const [name, field] of Object.entries(b)) {
    const known = fields.get(name);
    fields.set(name, known ? mergeSchemas(known, field) : field);
  }
  return Object.fromEntries(fields);
}

function isSchema(value: JSONSchemaProps | boolean | undefined): value is JSONSchemaProps {
  return typeof value === 'object';
}

function shared(a: readonly Json[], b: readonly Json[]): Json[] {
  const others = new Set(b.map((value) => JSON.stringify(value)));
  return a.filter((value) => others.has(JSON.stringify(value)));
}

const floors = ['minLength', 'minItems', 'minProperties'] as const;
const ceilings = ['maxLength', 'maxItems', 'maxProperties'] as const;

function lowest(a: JSONSchemaProps, b: JSONSchemaProps): JSONSchemaProps {
  const bounds: Mutable = {};
  for (const name of floors) {
    const given = [a[name], b[name]].filter((bound) => bound !== undefined);
    if (given.length > 0) bounds[name] = Math.max(...given);
  }
  const tight = (a.minimum ?? -Infinity) > (b.minimum ?? -Infinity) ? a : b;
  if (tight.minimum !== undefined) {
    bounds.minimum = tight.minimum;
    const open = [a, b].some((one) => one.minimum === tight.minimum && one.exclusiveMinimum);
    bounds.exclusiveMinimum = open;
  }
  return bounds;
}

function highest(a: JSONSchemaProps, b: JSONSchemaProps): JSONSchemaProps {
  const bounds: Mutable = {};
  for (const name of ceilings) {
    const given = [a[name], b[name]].filter((bound) => bound !== undefined);
    if (given.length > 0) bounds[name] = Math.min(...given);
  }
  const tight = (a.maximum ?? Infinity) < (b.maximum ?? Infinity) ? a : b;
  if (tight.maximum !== undefined) {
    bounds.maximum = tight.maximum;
    const open = [a, b].some((one) => one.maximum === tight.maximum && one.exclusiveMaximum);
    bounds.exclusiveMaximum = open;
  }
  return bounds;
}

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
