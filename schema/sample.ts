import type { Json } from '../kube/object.ts';
import { formatPath, type Path } from '../kube/problem.ts';
import type { JSONSchemaProps } from './jsonschema.ts';
import { branchesOf } from './sample/branches.ts';
import { search } from './sample/search.ts';
import { scalarsFor } from './sample/values.ts';
import { isMapping } from '../kube/mapping.ts';
import { validate } from './validate.ts';

/** How much of an object a sample fills in. */
export interface SampleOptions {
  /**
   * Every field once, instead of those that have to be there. A field that another one forbids (a
   * union, a rule) is left out. @default false
   */
  readonly full?: boolean;
  /** Where the schema stands, for messages. @default - at the root */
  readonly path?: Path;
}

/** A field for which no valid value was found. */
export interface Unsampled {
  readonly path: Path;
  /** `must have an example, got ...`. */
  readonly message: string;
}

/** No valid value was found: an `example` at the named fields helps. Holds every such field. */
export class NoSample extends Error {
  readonly fields: readonly Unsampled[];

  constructor(fields: readonly Unsampled[]) {
    super(fields.map(({ path, message }) => `${formatPath(path)} ${message}`.trim()).join('\n'));
    this.name = 'NoSample';
    this.fields = fields;
  }
}

/**
 * A value that a schema takes, always the same for the same schema. It is made of what the schema
 * gives as `example`, of defaults, of the first of an enum, and otherwise of what formats, patterns
 * and bounds ask for; where fields depend on each other, values are tried until the schema's rules
 * hold. Examples and defaults that the schema itself refuses are passed over.
 *
 * @throws {NoSample} where no valid value is found; an invalid one is never returned
 */
export function sampleValue(schema: JSONSchemaProps, options: SampleOptions = {}): Json {
  const { path = [], full = false } = options;
  const value = valueFor(schema, path, full);
  const wrong = validate(schema, value, path)[0];
  if (wrong) throw missing(wrong.path, `no valid value: ${wrong.message}`);
  return structuredClone(value);
}

function missing(path: Path, got: string): NoSample {
  return new NoSample([{ path, message: `must have an example, got ${got}` }]);
}

/** Whether a value whose parts are valid can still be wrong as a whole. */
function hasConditions(schema: JSONSchemaProps): boolean {
  return (
    (schema['x-kubernetes-validations'] ?? schema.allOf ?? schema.anyOf ?? schema.oneOf) !==
      undefined ||
    schema.not !== undefined ||
    schema.maxProperties !== undefined ||
    schema.minProperties !== undefined ||
    schema.enum !== undefined ||
    schema['x-kubernetes-embedded-resource'] === true
  );
}

function fits(schema: JSONSchemaProps, value: Json): boolean {
  return validate(schema, value).length === 0;
}

/** A valid value of a node of the schema. */
function valueFor(schema: JSONSchemaProps, path: Path, full: boolean): Json {
  const failures: Unsampled[] = [];
  for (const branch of branchesOf(schema)) {
    try {
      const value = composed(branch, schema, path, full);
      if (value !== undefined && (!hasConditions(schema) || fits(schema, value))) return value;
    } catch (error) {
      if (!(error instanceof NoSample)) throw error;
      failures.push(...error.fields);
    }
  }
  for (const given of [schema.example, schema.default]) {
    if (given !== undefined && given !== null && fits(schema, given)) return given;
  }
  if (failures.length > 0 && !hasConditions(schema)) throw new NoSample(failures);
  const found = search(schema, path, full, valueFor);
  if ('value' in found) return found.value;
  throw failures.length > 0 ? new NoSample(failures) : missing(path, found.got);
}

/** A value made for a branch of a schema, not yet asked of the schema; undefined: none is at hand. */
function composed(
  branch: JSONSchemaProps,
  schema: JSONSchemaProps,
  path: Path,
  full: boolean,
): Json | undefined {
  if (branch.enum) return scalarIn(branch, schema, path);
  switch (kindOf(branch)) {
    case 'object':
      return objectOf(branch, path, full);
    case 'list':
      return listOf(branch, path, full);
    case 'anything':
      return branch.example ?? branch.default ?? {};
    default:
      return scalarIn(branch, schema, path);
  }
}

export function kindOf(schema: JSONSchemaProps): 'object' | 'list' | 'scalar' | 'anything' {
  if (schema['x-kubernetes-int-or-string']) return 'scalar';
  if (schema.type === 'array') return 'list';
  if (schema.type === 'object') return 'object';
  if (schema.type !== undefined) return 'scalar';
  if (schema.properties || schema.additionalProperties || schema.required) return 'object';
  return schema.items ? 'list' : 'anything';
}

function scalarIn(branch: JSONSchemaProps, schema: JSONSchemaProps, path: Path): Json | undefined {
  let first: Json | undefined;
  for (const value of scalarsFor(branch)) {
    if (fits(schema, value)) return value;
    first ??= value;
  }
  if (hasConditions(schema) && !schema.enum) return undefined;
  if (schema.pattern !== undefined && !schema.enum) {
    throw missing(path, `nothing that is known to match the pattern ${schema.pattern}`);
  }
  const wrong = first === undefined ? undefined : validate(schema, first)[0];
  throw missing(path, `no valid value${wrong ? `: ${wrong.message}` : ''}`);
}

function objectOf(schema: JSONSchemaProps, path: Path, full: boolean): Json {
  const { properties = {}, additionalProperties, minProperties = 0 } = schema;
  const given = isMapping(schema.example) ? (schema.example as Record<string, Json>) : {};
  const wanted = new Set(schema.required);
  if (full) Object.keys(properties).forEach((name) => wanted.add(name));
  const spare = Object.keys(properties).filter((name) => !wanted.has(name));
  while (wanted.size < minProperties && spare.length > 0) wanted.add(spare.shift()!);

  const fields: [string, Json][] = [];
  const failures: Unsampled[] = [];
  const add = (name: string, field: JSONSchemaProps): void => {
    const example = Object.hasOwn(given, name) ? given[name] : undefined;
    const asked =
      example === undefined || field.example !== undefined ? field : { ...field, example };
    try {
      fields.push([name, valueFor(asked, [...path, name], full)]);
    } catch (error) {
      if (!(error instanceof NoSample)) throw error;
      failures.push(...error.fields);
    }
  };
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  // In the order of the schema, which is the order of its author.
  for (const name of Object.keys(properties)) if (wanted.has(name)) add(name, properties[name]!);
  for (const name of wanted) if (!Object.hasOwn(properties, name)) add(name, values);
  if (additionalProperties !== undefined && additionalProperties !== false) {
    const most = Math.min(schema.maxProperties ?? Infinity, Math.max(minProperties, full ? 1 : 0));
    const own = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
    for (const name of own) if (fields.length < Math.max(most, own.length)) add(name, values);
    for (let i = 1; fields.length < most; i += 1) {
      const before = fields.length;
      add(i === 1 ? 'key' : `key-${i}`, values);
      if (fields.length === before) break;
    }
  } else if (schema['x-kubernetes-preserve-unknown-fields'] && full) {
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(properties, name)) fields.push([name, given[name]!]);
    }
  }
  if (failures.length > 0) throw new NoSample(failures);
  const value = Object.fromEntries(fields);
  return schema['x-kubernetes-embedded-resource'] ? embedded(value) : value;
}

/** The API server takes no embedded object without its kind and name. */
function embedded(value: Record<string, Json>): Json {
  const metadata = isMapping(value['metadata']) ? value['metadata'] : {};
  return {
    ...value,
    apiVersion: isFilled(value['apiVersion']) ? value['apiVersion'] : 'v1',
    kind: isFilled(value['kind']) ? value['kind'] : 'ConfigMap',
    metadata: { name: 'example', ...(metadata as Record<string, Json>) },
  };
}

function isFilled(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function listOf(schema: JSONSchemaProps, path: Path, full: boolean): Json | undefined {
  for (const given of [schema.example, schema.default]) {
    if (Array.isArray(given) && fits(schema, given)) return given;
  }
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  const length = Math.max(minItems, Math.min(full ? 1 : 0, maxItems));
  if (length === 0) return [];
  const first = valueFor(items, [...path, 0], full);
  const list = [first];
  if (length === 1) return list;
  const unique = ['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? 'atomic');
  for (const other of others(first, items, schema['x-kubernetes-list-map-keys'])) {
    if (list.length === length) break;
    list.push(other);
  }
  if (!unique) list.push(...Array.from({ length: length - list.length }, () => first));
  if (list.length === length) return list;
  throw missing(path, `no ${length} items that differ`);
}

/** Valid items that differ from the first and from each other: in their keys, where there are any. */
function* others(
  first: Json,
  items: JSONSchemaProps,
  keys: readonly string[] | undefined,
): Generator<Json> {
  const seen = new Set([JSON.stringify(first)]);
  for (const candidate of variants(first, items, keys)) {
    const text = JSON.stringify(candidate);
    if (seen.has(text) || !fits(items, candidate)) continue;
    seen.add(text);
    yield candidate;
  }
}

function* variants(
  first: Json,
  items: JSONSchemaProps,
  keys: readonly string[] | undefined,
): Generator<Json> {
  if (!isMapping(first)) {
    for (const branch of branchesOf(items)) yield* scalarsFor(branch);
    return;
  }
  for (const key of keys ?? Object.keys(first)) {
    const field = items.properties?.[key];
    if (!field || kindOf(field) !== 'scalar') continue;
    for (const value of scalarsFor(field))
      yield { ...(first as Record<string, Json>), [key]: value };
  }
}
