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
  Object.assign(merged, tightest(a, b));
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

const counts = ['Length', 'Items', 'Properties'] as const;

/** Returns the tighter ones of the bounds of two schemas. */
function tightest(a: JSONSchemaProps, b: JSONSchemaProps): JSONSchemaProps {
  const bounds: Mutable = {};
  for (const count of counts) {
    const least = [a[`min${count}`], b[`min${count}`]].filter((bound) => bound !== undefined);
    const most = [a[`max${count}`], b[`max${count}`]].filter((bound) => bound !== undefined);
    if (least.length > 0) bounds[`min${count}`] = Math.max(...least);
    if (most.length > 0) bounds[`max${count}`] = Math.min(...most);
  }
  const low = (a.minimum ?? -Infinity) > (b.minimum ?? -Infinity) ? a.minimum : b.minimum;
  if (low !== undefined) {
    bounds.minimum = low;
    bounds.exclusiveMinimum = [a, b].some((one) => one.minimum === low && one.exclusiveMinimum);
  }
  const high = (a.maximum ?? Infinity) < (b.maximum ?? Infinity) ? a.maximum : b.maximum;
  if (high !== undefined) {
    bounds.maximum = high;
    bounds.exclusiveMaximum = [a, b].some((one) => one.maximum === high && one.exclusiveMaximum);
  }
  return bounds;
}

/** Returns the kind of value that a schema most likely accepts. */
export function classifySchema(schema: JSONSchemaProps): 'object' | 'list' | 'scalar' | 'anything' {
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
