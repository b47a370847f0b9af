import type { Finding } from '@tenantry/kube/finding';
import type { Json } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import { entryOf } from '@tenantry/kube/mapping';
import type { JSONSchemaProps } from './json-schema.ts';
import { listBranches, hasConditions, classifySchema } from './sample/branches.ts';
import {
  attempt,
  buildNoSample,
  NoSample,
  isValidSample,
  isObject,
  type JsonObject,
} from './sample/value-for.ts';
import { search } from './sample/search.ts';
import { scalarsFor } from './sample/values.ts';
import { validate } from './validate.ts';

export { NoSample } from './sample/value-for.ts';

/** Options of `sampleValue`. */
export interface SampleOptions {
  /**
   * Whether to fill in every field once, instead of only the required ones. A field that another one forbids (a union,
   * a rule) is left out. @default false
   */
  readonly full?: boolean;
  /** The path of the schema, for messages. @default - the root */
  readonly path?: Path;
}

/**
 * Returns a valid value of a schema, always the same for the same schema. Candidates are the schema's `example`,
 * defaults and the first value of an enum, and otherwise values that fit formats, patterns and bounds. If fields depend
 * on each other, it tries values until the schema's rules are satisfied. It skips examples and defaults that the schema
 * itself refuses.
 *
 * @example
 * ```ts
 * import { integer, object, required, sampleValue, string } from '@tenantry/crd/schema';
 *
 * const schema = object('A box.', {
 *   label: required(string('The text on it.', { example: 'fragile' })),
 *   size: integer('How big.', { minimum: 1 }),
 * });
 * console.log(sampleValue(schema)); // { label: 'fragile' }
 * console.log(sampleValue(schema, { full: true })); // { label: 'fragile', size: 1 }
 * ```
 *
 * @throws {NoSample} where no valid value is found; an invalid one is never returned
 */
export function sampleValue(schema: JSONSchemaProps, options: SampleOptions = {}): Json {
  const { path = [], full = false } = options;
  const value = valueFor(schema, path, full);
  const wrong = validate(schema, value, path)[0];
  if (wrong) throw buildNoSample(wrong.path, `no valid value: ${wrong.message}`);
  return structuredClone(value);
}

/** Returns a valid value for a node of the schema. */
function valueFor(schema: JSONSchemaProps, path: Path, full: boolean): Json {
  const failures: Finding[] = [];
  for (const branch of listBranches(schema)) {
    const made = attempt(() => composed(branch, schema, path, full));
    if (made instanceof NoSample) failures.push(...made.fields);
    else if (made !== undefined && (!hasConditions(schema) || isValidSample(schema, made)))
      return made;
  }
  for (const given of [schema.example, schema.default]) {
    if (given !== undefined && given !== null && isValidSample(schema, given)) return given;
  }
  if (failures.length > 0 && !hasConditions(schema)) throw new NoSample(failures);
  const found = search(schema, path, full, valueFor);
  if ('value' in found) return found.value;
  throw failures.length > 0 ? new NoSample(failures) : buildNoSample(path, found.got);
}

/** Composes a value for a branch of a schema, without validating it; undefined if there is none. */
function composed(
  branch: JSONSchemaProps,
  schema: JSONSchemaProps,
  path: Path,
  full: boolean,
): Json | undefined {
  if (branch.enum) return scalarIn(branch, schema, path);
  switch (classifySchema(branch)) {
    case 'object':
      return new ObjectSample(branch, path, full).make();
    case 'list':
      return buildListSample(branch, path, full);
    case 'anything':
      return branch.example ?? branch.default ?? {};
    default:
      return scalarIn(branch, schema, path);
  }
}

function scalarIn(branch: JSONSchemaProps, schema: JSONSchemaProps, path: Path): Json | undefined {
  let first: Json | undefined;
  for (const value of scalarsFor(branch)) {
    if (isValidSample(schema, value)) return value;
    first ??= value;
  }
  if (!schema.enum && hasConditions(schema)) return undefined;
  if (!schema.enum && schema.pattern !== undefined) {
    throw buildNoSample(path, `nothing that is known to match the pattern ${schema.pattern}`);
  }
  const wrong = first === undefined ? undefined : validate(schema, first)[0];
  throw buildNoSample(path, wrong ? `no valid value: ${wrong.message}` : 'no valid value');
}

/** An object with the required fields, or with all fields if it is full. */
class ObjectSample {
  readonly #schema: JSONSchemaProps;
  readonly #path: Path;
  readonly #full: boolean;
  /** The schema's example, field by field. */
  readonly #given: JsonObject;
  readonly #declared: Readonly<Record<string, JSONSchemaProps>>;
  readonly #fields: [string, Json][] = [];
  readonly #failures: Finding[] = [];

  constructor(schema: JSONSchemaProps, path: Path, full: boolean) {
    this.#schema = schema;
    this.#path = path;
    this.#full = full;
    this.#given = isObject(schema.example) ? schema.example : {};
    this.#declared = schema.properties ?? {};
  }

  make(): Json {
    const { additionalProperties } = this.#schema;
    const entry = typeof additionalProperties === 'object' ? additionalProperties : {};
    this.#addWanted(entry);
    if (additionalProperties) this.#addEntries(entry);
    else this.#addUnknown();
    if (this.#failures.length > 0) throw new NoSample(this.#failures);
    const value = Object.fromEntries(this.#fields);
    return this.#schema['x-kubernetes-embedded-resource'] ? embedded(value) : value;
  }

  /** Returns the names of the required or requested fields. */
  #wanted(): Set<string> {
    const names = Object.keys(this.#declared);
    const wanted = new Set([...(this.#schema.required ?? []), ...(this.#full ? names : [])]);
    for (const name of names) {
      if (wanted.size >= (this.#schema.minProperties ?? 0)) break;
      wanted.add(name);
    }
    return wanted;
  }

  /** Adds the fields in the order of the schema. */
  #addWanted(entry: JSONSchemaProps): void {
    const wanted = this.#wanted();
    for (const [name, field] of Object.entries(this.#declared)) {
      if (wanted.has(name)) this.#add(name, field);
    }
    for (const name of wanted) {
      if (!Object.hasOwn(this.#declared, name)) this.#add(name, entry);
    }
  }

  /** Adds the entries of a map: those of its example, then as many as the minimum requires. */
  #addEntries(entry: JSONSchemaProps): void {
    const { minProperties = 0, maxProperties = Infinity } = this.#schema;
    const least = Math.min(maxProperties, Math.max(minProperties, this.#full ? 1 : 0));
    const given = this.#undeclared();
    for (const name of given) {
      if (this.#fields.length < Math.max(least, given.length)) this.#add(name, entry);
    }
    for (let i = 1; this.#fields.length < least; i += 1) {
      if (!this.#add(i === 1 ? 'key' : `key-${i}`, entry)) break;
    }
  }

  /** Adds the undeclared fields of the example. */
  #addUnknown(): void {
    if (!this.#full || !this.#schema['x-kubernetes-preserve-unknown-fields']) return;
    for (const name of this.#undeclared()) this.#fields.push([name, this.#given[name]!]);
  }

  #undeclared(): string[] {
    return Object.keys(this.#given).filter((name) => !Object.hasOwn(this.#declared, name));
  }

  /** Adds a field. Returns false if there is no value for it. */
  #add(name: string, field: JSONSchemaProps): boolean {
    const example = field.example === undefined ? entryOf(this.#given, name) : undefined;
    const fieldSchema = example === undefined ? field : { ...field, example };
    const made = attempt(() => valueFor(fieldSchema, [...this.#path, name], this.#full));
    if (made instanceof NoSample) {
      this.#failures.push(...made.fields);
      return false;
    }
    this.#fields.push([name, made]);
    return true;
  }
}

/** Adds a kind and a name to an embedded object, because the API server requires them. */
function embedded(value: JsonObject): Json {
  const { apiVersion, kind, metadata } = value;
  return {
    ...value,
    apiVersion: isFilled(apiVersion) ? apiVersion : 'v1',
    kind: isFilled(kind) ? kind : 'ConfigMap',
    metadata: { name: 'example', ...(isObject(metadata) && metadata) },
  };
}

function isFilled(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** Builds a list with the minimum number of items; with at least one if it is full. */
function buildListSample(schema: JSONSchemaProps, path: Path, full: boolean): Json {
  for (const given of [schema.example, schema.default]) {
    if (Array.isArray(given) && isValidSample(schema, given)) return given;
  }
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  const length = Math.max(minItems, Math.min(full ? 1 : 0, maxItems));
  if (length === 0) return [];
  const first = valueFor(items, [...path, 0], full);
  if (length === 1) return [first];
  const keys = schema['x-kubernetes-list-map-keys'];
  const list = [first, ...others(first, items, keys).take(length - 1)];
  const isUnique = ['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? 'atomic');
  if (isUnique && list.length < length) throw buildNoSample(path, `no ${length} items that differ`);
  while (list.length < length) list.push(first);
  return list;
}

/** Yields valid items that differ from the first and from each other, in their keys if there are any. */
function* others(
  first: Json,
  items: JSONSchemaProps,
  keys: readonly string[] | undefined,
): Generator<Json> {
  const seen = new Set([JSON.stringify(first)]);
  for (const candidate of variants(first, items, keys)) {
    const text = JSON.stringify(candidate);
    if (seen.has(text) || !isValidSample(items, candidate)) continue;
    seen.add(text);
    yield candidate;
  }
}

function* variants(
  first: Json,
  items: JSONSchemaProps,
  keys: readonly string[] | undefined,
): Generator<Json> {
  if (!isObject(first)) {
    for (const branch of listBranches(items)) yield* scalarsFor(branch);
    return;
  }
  for (const key of keys ?? Object.keys(first)) {
    const field = items.properties?.[key];
    if (!field || classifySchema(field) !== 'scalar') continue;
    for (const value of scalarsFor(field)) yield { ...first, [key]: value };
  }
}
