/** The facts that a schema guarantees about the values that its CEL rules read. */
import {
  implies,
  overlap,
  readCondition,
  selectedFields,
  type Condition,
  type PartValues,
  type RulePart,
} from '../schema/cel.ts';
import { entryOf } from '@tenantry/kube/mapping';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { validate } from '../schema/validate.ts';

type Clauses = Condition['clauses'];

/**
 * Describes what a schema guarantees about the fields that other clauses read, as clauses of rules.
 * These are bounds, enums, sizes, and which fields exist. They are true for every value that the
 * schema accepts.
 * @param given further clauses that are true; the fields that they read therefore exist
 */
export function describeFacts(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  given: Clauses,
  wanted: Clauses,
): Clauses {
  const paths = new Map(
    wanted.flatMap(selectedFields).map((path) => [path.join('.'), path] as const),
  );
  const facts = new Map<string, Clauses[number]>();
  const add = (text: string): void => {
    for (const clause of readCondition(text).clauses) facts.set(clause.key, clause);
  };
  for (const path of paths.values()) {
    const absent: string[] = [];
    const state = (texts: readonly string[]): void => {
      for (const text of texts) add([...absent.map((one) => `!${one}`), text].join(' || '));
    };
    state(listBounds(before, 'self'));
    for (const { node, field, inner, now, name } of fieldsOnPath(before, after, path)) {
      if (inner.nullable) break;
      const isDefaulted = inner.default !== undefined && now?.default !== undefined;
      const there = `has(${name})`;
      if (node.required?.includes(field) || isDefaulted) state([there]);
      const known = [...given, ...facts.values()];
      const isThere = readCondition(there).clauses.every((one) => implies(known, one));
      if (!isThere) absent.push(there);
      state(listBounds(inner, name));
    }
  }
  return [...facts.values()];
}

/**
 * Finds a field that a clause needs, but that other clauses allow to be absent. The clause refuses
 * values without it. Returns undefined if no such field is certain.
 */
export function findNeededField(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  given: Clauses,
  clause: Clauses[number],
): string | undefined {
  for (const path of selectedFields(clause)) {
    for (const { node, field, inner, now, name } of fieldsOnPath(before, after, path)) {
      if (!now || hasBranches(node) || node.minProperties !== undefined) break;
      const isStated = inner.default !== undefined || now.default !== undefined;
      if (isStated || node.required?.includes(field)) continue;
      const [there, absent] = [`has(${name})`, `!has(${name})`].map(
        (text) => readCondition(text).clauses,
      );
      const touching = given.filter((one) => there!.some((has) => overlap(has, one)));
      const isNeeded = there!.every((has) => implies([clause], has));
      if (isNeeded && touching.every((one) => implies(absent!, one))) return name;
      break;
    }
  }
  return undefined;
}

/** A field that a rule selects. */
interface SelectedField {
  readonly field: string;
  /** The expression that selects it: `self.spec.field`. */
  readonly name: string;
  /** The schema of OLD that declares it. */
  readonly node: JSONSchemaProps;
  readonly inner: JSONSchemaProps;
  /** Its schema in NEW. */
  readonly now: JSONSchemaProps | undefined;
}

/** Yields the fields on a path from `self`, as far as OLD declares them. */
function* fieldsOnPath(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  path: readonly string[],
): Generator<SelectedField> {
  let [node, now, name]: [JSONSchemaProps, JSONSchemaProps | undefined, string] = [
    before,
    after,
    'self',
  ];
  for (const field of path) {
    const inner = fieldOf(node, field);
    if (!inner) return;
    now = now && fieldOf(now, field);
    name = `${name}.${field}`;
    yield { field, name, node, inner, now };
    node = inner;
  }
}

/** Returns the schema of a field; undefined for a field whose name CEL escapes. */
const fieldOf = ({ properties }: JSONSchemaProps, field: string): JSONSchemaProps | undefined =>
  field.includes('__') ? undefined : entryOf(properties, field);

function listBounds(schema: JSONSchemaProps, name: string): string[] {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const texts: string[] = [];
  const state = (of: string, sign: string, literal: string | undefined): void => {
    if (literal !== undefined) texts.push(`${of} ${sign} ${literal}`);
  };
  if (type === 'integer' || type === 'number') {
    state(name, exclusiveMinimum ? '>' : '>=', formatLiteral(type, minimum));
    state(name, exclusiveMaximum ? '<' : '<=', formatLiteral(type, maximum));
  }
  const { least, most } = findSizes(schema);
  state(`size(${name})`, '>=', formatLiteral('integer', least));
  state(`size(${name})`, '<=', formatLiteral('integer', most));
  const members = schema.enum?.map((one) => formatLiteral(type, one));
  if (members && members.length > 0 && !members.includes(undefined)) {
    texts.push(`${name} in [${members.join(', ')}]`);
  }
  return texts;
}

function findSizes(schema: JSONSchemaProps): {
  readonly least: number | undefined;
  readonly most: number | undefined;
} {
  switch (schema.type) {
    case 'string':
      return { least: schema.minLength, most: schema.maxLength };
    case 'array':
      return { least: schema.minItems, most: schema.maxItems };
    case 'object':
      return { least: schema.minProperties, most: schema.maxProperties };
    default:
      return { least: undefined, most: undefined };
  }
}

/** Formats a constant as in CEL. */
function formatLiteral(type: string | undefined, value: unknown): string | undefined {
  if (type === 'string' && typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'number') return undefined;
  if (type === 'integer') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (type !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isSafeInteger(value) ? `${value}.0` : String(value);
}

/** Describes the values of a part that a schema accepts; undefined if the schema does not determine them. */
export function describePart(
  schema: JSONSchemaProps,
  { path, isSize }: RulePart,
): PartValues | undefined {
  let node = withoutRules(schema);
  for (const field of path) {
    const inner = fieldOf(node, field);
    if (!inner || hasBranches(node)) return undefined;
    node = inner;
  }
  if (isSize) return describeSize(node);
  const isInteger = node.type === 'integer';
  const stated = [...(node.enum ?? []), node.minimum, node.maximum];
  const edges = stated.flatMap((one): (bigint | number | string)[] => {
    if (isInteger && Number.isSafeInteger(one)) return [BigInt(one as number)];
    return typeof one === 'string' || typeof one === 'number' ? [one] : [];
  });
  const isPossible: PartValues['isPossible'] = (value) =>
    validate(node, typeof value === 'bigint' ? Number(value) : value).length === 0;
  return { isPossible, edges };
}

function describeSize(node: JSONSchemaProps): PartValues | undefined {
  const { type, pattern, format, items, additionalProperties } = node;
  const isFree =
    (type === 'string' && pattern === undefined && format === undefined) ||
    (type === 'array' && items !== undefined && node['x-kubernetes-list-type'] === undefined) ||
    (type === 'object' && typeof additionalProperties === 'object');
  if (!isFree || node.enum || hasBranches(node) || node['x-kubernetes-validations']) {
    return undefined;
  }
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = findSizes(node);
  const [from, to] = [BigInt(least), BigInt(most)];
  return {
    isPossible: (value) => typeof value === 'bigint' && value >= from && value <= to,
    edges: [from, to],
  };
}

const hasBranches = ({ allOf, anyOf, oneOf, not }: JSONSchemaProps): boolean =>
  [allOf, anyOf, oneOf, not].some((one) => one !== undefined);

function withoutRules(schema: JSONSchemaProps): JSONSchemaProps {
  const { 'x-kubernetes-validations': _rules, ...rest } = schema;
  return rest;
}
