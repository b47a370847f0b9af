/**
 * Random schemas, changes of them and values. They are small and made of few parts, so that changes
 * overlap and values are at the edges.
 */
import fc from 'fast-check';
import type { Json } from '@tenantry/kube/object';
import { admitValue } from '../../schema/admission.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { isMapping } from '@tenantry/kube/mapping';

export type Chance = fc.GeneratorValue;

type Schema = { -readonly [K in keyof JSONSchemaProps]: JSONSchemaProps[K] };

const pick = <T>(g: Chance, ...values: readonly T[]): T => g(() => fc.constantFrom(...values));
const oneIn = (g: Chance, many: number): boolean => g(fc.nat, many - 1) === many - 1;

const scalars = ['string', 'integer', 'number', 'boolean', 'either'] as const;
const deep = ['object', 'object', 'object', 'map', 'array', 'array'] as const;
const names = ['a', 'b', 'c'] as const;

/** The possible values of each keyword. */
type Choices = Readonly<Record<string, readonly unknown[]>>;

const ofStrings: Choices = {
  enum: [['a'], ['a', 'ab'], ['b', 'abc', 'a']],
  pattern: ['^a', '^[ab]*$', 'b'],
  minLength: [0, 1, 2],
  maxLength: [1, 2, 3],
  format: ['date', 'ipv4', 'password', 'quantity', 'uuid', 'uuid4'],
};
const ofNumbers: Choices = {
  minimum: [-2, -0.7, -0.5, 0, 1],
  exclusiveMinimum: [true, false],
  maximum: [1, 1.5, 3, 4],
  exclusiveMaximum: [true, false],
  multipleOf: [1, 2, 4],
  format: ['int32', 'int64', 'float', 'double'],
};
const ofLists: Choices = {
  minItems: [0, 1],
  maxItems: [1, 2],
  'x-kubernetes-list-type': ['set', 'atomic'],
};
const ofObjects: Choices = { minProperties: [0, 1], maxProperties: [1, 2, 3] };

/** For values that are not nullable, null means that the field is absent. */
const ofAll: Choices = { nullable: [true, false] };

function choicesOf(schema: JSONSchemaProps): Choices {
  if (schema['x-kubernetes-int-or-string'])
    return { ...ofStrings, ...ofNumbers, ...ofAll, format: [] };
  switch (schema.type) {
    case 'string':
      return { ...ofStrings, ...ofAll };
    case 'integer':
    case 'number':
      return { ...ofNumbers, ...ofAll, enum: [[1], [0, 1, 2]] };
    case 'array':
      return { ...ofLists, ...ofAll };
    case 'object':
      return { ...ofObjects, ...ofAll };
    default:
      return ofAll;
  }
}

/** Changes or removes a keyword. */
function turn(g: Chance, schema: Schema, choices: Choices): void {
  const keyword = pick(g, ...Object.keys(choices));
  const values = choices[keyword]!;
  if (values.length === 0 || oneIn(g, 3)) delete schema[keyword as keyof Schema];
  else Object.assign(schema, { [keyword]: pick(g, ...values) });
}

/** Returns a random schema of a field that the API server accepts. */
export function anySchema(g: Chance, depth: number): JSONSchemaProps {
  const kind = depth > 0 && !oneIn(g, 3) ? pick(g, ...deep) : pick(g, ...scalars);
  const schema: Schema = {};
  if (kind === 'either') schema['x-kubernetes-int-or-string'] = true;
  else if (kind === 'array') Object.assign(schema, { type: kind, items: anySchema(g, depth - 1) });
  else if (kind === 'map') {
    Object.assign(schema, { type: 'object', additionalProperties: anySchema(g, depth - 1) });
  } else if (kind === 'object') {
    const fields = names.filter(() => oneIn(g, 2));
    schema.type = kind;
    schema.properties = Object.fromEntries(fields.map((name) => [name, anySchema(g, depth - 1)]));
    schema.required = fields.filter(() => oneIn(g, 3));
    if (oneIn(g, 5)) schema['x-kubernetes-preserve-unknown-fields'] = true;
  } else schema.type = kind;
  if (kind === 'array' && oneIn(g, 4)) schema['x-kubernetes-preserve-unknown-fields'] = true;
  for (let i = g(fc.nat, 2); i > 0; i -= 1) turn(g, schema, choicesOf(schema));
  if (oneIn(g, 3)) branch(g, schema);
  if (oneIn(g, 4)) giveDefault(g, schema);
  return schema;
}

/** Returns one keyword of a branch, whose restriction of the value also applies outside of the branch. */
function inBranch(g: Chance, schema: JSONSchemaProps, old: JSONSchemaProps = {}): JSONSchemaProps {
  const inner: Schema = oneIn(g, 4) ? {} : { ...old };
  const { nullable: _, 'x-kubernetes-list-type': __, ...choices } = choicesOf(schema);
  if (Object.keys(choices).length > 0) turn(g, inner, choices);
  const fields = Object.keys(schema.properties ?? {});
  if (fields.length > 0 && oneIn(g, 2)) {
    const name = pick(g, ...fields);
    if (oneIn(g, 2)) inner.required = [name];
    else inner.properties = { [name]: inBranch(g, schema.properties![name]!) };
  }
  return inner;
}

function branch(g: Chance, schema: Schema): void {
  const kind = pick(g, 'allOf', 'anyOf', 'oneOf', 'not');
  if (kind === 'not') {
    if (schema.not && oneIn(g, 4)) delete schema.not;
    else schema.not = inBranch(g, schema, schema.not);
    return;
  }
  const list = [...(schema[kind] ?? [])];
  const change = pick(g, 'add', 'drop', 'turn');
  if (change === 'add' || list.length === 0) list.push(inBranch(g, schema));
  else if (change === 'drop') list.splice(g(fc.nat, list.length - 1), 1);
  else {
    const i = g(fc.nat, list.length - 1);
    list[i] = inBranch(g, schema, list[i]);
  }
  if (list.length > 0) schema[kind] = list;
  else delete schema[kind];
}

/** Adds a valid default, or none. */
function giveDefault(g: Chance, schema: Schema): void {
  delete schema.default;
  if (oneIn(g, 3)) return;
  const value = anyValue(g, schema);
  const { errors, pruned, value: admitted } = admitValue(schema, value);
  if (value !== null && errors.length + pruned.length === 0) schema.default = admitted as Json;
}

/** Returns the same schema with one change at a random place. */
export function mutated(g: Chance, schema: JSONSchemaProps, depth: number): JSONSchemaProps {
  const copy: Schema = { ...schema };
  const { properties, items, additionalProperties: values } = copy;
  const isDeeper = !oneIn(g, 3);
  if (isDeeper && properties && Object.keys(properties).length > 0) {
    const name = pick(g, ...Object.keys(properties));
    copy.properties = { ...properties, [name]: mutated(g, properties[name]!, depth - 1) };
  } else if (isDeeper && items) copy.items = mutated(g, items, depth - 1);
  else if (isDeeper && isMapping(values)) {
    copy.additionalProperties = mutated(g, values, depth - 1);
  } else mutateHere(g, copy, depth);
  if (copy.default !== undefined) {
    const { errors, pruned } = admitValue(copy, copy.default);
    if (errors.length + pruned.length > 0) delete copy.default;
  }
  return copy;
}

function mutateHere(g: Chance, schema: Schema, depth: number): void {
  const change = pick(
    g,
    'turn',
    'turn',
    'turn',
    'fields',
    'required',
    'branch',
    'default',
    'open',
    'other',
  );
  if (change === 'fields' && schema.properties) {
    const name = pick(g, ...names);
    const { [name]: old, ...rest } = schema.properties;
    if (old) schema.required = (schema.required ?? []).filter((one) => one !== name);
    if (old) schema.properties = rest;
    else {
      const field = { ...anySchema(g, depth - 1) };
      if (oneIn(g, 2)) giveDefault(g, field);
      schema.properties = { ...rest, [name]: field };
    }
    // Branches may name only declared fields.
    if (old) for (const kind of ['allOf', 'anyOf', 'oneOf', 'not'] as const) delete schema[kind];
  } else if (change === 'required' && schema.properties) {
    schema.required = Object.keys(schema.properties).filter(() => oneIn(g, 2));
  } else if (change === 'branch') branch(g, schema);
  else if (change === 'default') giveDefault(g, schema);
  else if (change === 'open' && (schema.type === 'object' || schema.type === 'array')) {
    if (!schema['x-kubernetes-preserve-unknown-fields']) {
      schema['x-kubernetes-preserve-unknown-fields'] = true;
    } else delete schema['x-kubernetes-preserve-unknown-fields'];
  } else if (change === 'other' && oneIn(g, 2)) {
    const other = anySchema(g, depth);
    for (const key of Object.keys(schema)) delete schema[key as keyof Schema];
    Object.assign(schema, other);
  } else turn(g, schema, choicesOf(schema));
}

const texts = ['', 'a', 'b', 'ab', 'abc', 'abba', '2024-01-02', '10.0.0.1'];
const uuids = ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6ba7b810-9dad-41d1-80b4-00c04fd430c8'];
const integers = [-2, -1, 0, 1, 2, 3, 4, 2147483648];
const fractions = [-0.7, -0.6, -0.5, 0.5, 1.5, 1e39];

/** Returns a random value that is likely to be valid or nearly valid. */
export function anyValue(g: Chance, schema: JSONSchemaProps): Json {
  if (oneIn(g, schema.nullable ? 4 : 12)) return null;
  if (schema.enum && !oneIn(g, 5)) return pick(g, ...schema.enum);
  if (schema['x-kubernetes-int-or-string']) return pick<Json>(g, ...texts, ...integers);
  switch (schema.type) {
    case 'string':
      return pick(g, ...texts, ...uuids);
    case 'integer':
      return pick(g, ...integers);
    case 'number':
      return pick(g, ...integers, ...fractions);
    case 'boolean':
      return pick(g, true, false);
    case 'array':
      return anyList(g, schema);
    default:
      return anyObject(g, schema);
  }
}

function anyList(g: Chance, { items = {}, ...list }: JSONSchemaProps): Json {
  const kept = 'x-kubernetes-preserve-unknown-fields';
  // A list passes on to its items that unknown fields are kept.
  const of = list[kept] && items.type === 'object' ? { ...items, [kept]: true } : items;
  return Array.from({ length: g(fc.nat, 3) }, () => anyValue(g, of));
}

function anyObject(g: Chance, schema: JSONSchemaProps): Json {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.keys(properties).filter((name) => required.includes(name) || oneIn(g, 2));
  const value: Record<string, Json> = Object.fromEntries(
    fields.map((name) => [name, anyValue(g, properties[name]!)]),
  );
  for (const name of names.filter(() => oneIn(g, 3))) {
    if (Object.hasOwn(properties, name)) continue;
    if (isMapping(additionalProperties)) value[name] = anyValue(g, additionalProperties);
    else if (schema['x-kubernetes-preserve-unknown-fields']) {
      value[name] = pick<Json>(g, 1, 'a', null, { a: 'a', b: 1 }, [{ a: 1 }]);
    }
  }
  return value;
}
