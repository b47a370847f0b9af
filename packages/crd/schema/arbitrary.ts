import fc from 'fast-check';
import type { Json } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import { isMapping } from '@tenantry/kube/mapping';
import type { JSONSchemaProps } from './json-schema.ts';
import { listBranches, classifySchema } from './sample/branches.ts';
import { sampleValue, NoSample } from './sample.ts';
import { validate } from './validate.ts';
import { anything, numbers, texts } from './arbitrary/scalars.ts';

/**
 * The usual maximum size of generated lists and maps. Longer ones are generated only if the schema requires them or has
 * bounds near this size.
 */
const SMALL = 3;
const NEARLY_SMALL = 6;

/**
 * Generates valid values of a schema for property tests with fast-check, with a bias towards edge cases:
 *
 * - optional fields absent, null where it is allowed, empty lists
 * - strings of the shortest and the longest length
 * - numbers at their bounds, and whole numbers at the edges of 32 bits and of 2^53 (beyond, JSON in JavaScript loses
 *   digits)
 * - undeclared fields where the schema keeps them
 *
 * Every value validates, and values shrink towards the smallest. Where conditions (CEL rules, oneOf, patterns) leave
 * too few values for random search, the schema's samples are used instead. An optional field without even a sample
 * stays absent.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { integer } from '@tenantry/crd/schema';
 * import { arbitraryValue } from '@tenantry/testing';
 *
 * const replicas = integer('How many.', { minimum: 0, maximum: 9 });
 * fc.assert(fc.property(arbitraryValue(replicas), (value) => Number(value) <= 9));
 * ```
 *
 * @throws {NoSample} on the first value, where a mandatory field has no sample
 */
export function arbitraryValue(schema: JSONSchemaProps): fc.Arbitrary<Json> {
  return checked(schema, [], unchecked(schema, []));
}

function checked(
  schema: JSONSchemaProps,
  path: Path,
  values: fc.Arbitrary<Json>,
): fc.Arbitrary<Json> {
  const fits = (value: Json): boolean => validate(schema, value).length === 0;
  const fallbacks = (): Json[] => {
    const small = sampleValue(schema, { path });
    try {
      return [small, sampleValue(schema, { path, full: true })];
    } catch {
      return [small];
    }
  };
  return new Valid(values, fits, fallbacks);
}

function isConditional(schema: JSONSchemaProps): boolean {
  const { allOf, anyOf, oneOf, not, pattern, format } = schema;
  return (
    [allOf, anyOf, oneOf, not, pattern, format].some((one) => one !== undefined) ||
    schema['x-kubernetes-validations'] !== undefined ||
    schema['x-kubernetes-embedded-resource'] === true ||
    schema.minProperties !== undefined ||
    schema.multipleOf !== undefined
  );
}

function inner(schema: JSONSchemaProps, path: Path): fc.Arbitrary<Json> {
  return new Lazy(() => {
    const values = unchecked(schema, path);
    return isConditional(schema) ? checked(schema, path, values) : values;
  });
}

function unchecked(schema: JSONSchemaProps, path: Path): fc.Arbitrary<Json> {
  const branches = listBranches(schema).map((branch) => plain(branch, path));
  const values =
    branches.length === 1 ? branches[0]! : fc.oneof({ withCrossShrink: true }, ...branches);
  if (!schema.nullable) return values;
  return fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 5, arbitrary: values });
}

function plain(schema: JSONSchemaProps, path: Path): fc.Arbitrary<Json> {
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null);
    if (values.length > 0) return fc.constantFrom(...structuredClone(values));
  }
  switch (classifySchema(schema)) {
    case 'object':
      return objects(schema, path);
    case 'list':
      return lists(schema, path);
    case 'anything':
      return anything();
    default:
      if (schema.type === 'boolean') return fc.boolean();
      if (schema.type === 'string') return texts(schema);
      if (schema.type === 'integer' || schema.type === 'number') return numbers(schema);
      return fc.oneof(numbers({ ...schema, type: 'integer' }), texts(schema));
  }
}

const absent = Symbol('absent');

function objects(schema: JSONSchemaProps, path: Path): fc.Arbitrary<Json> {
  const { properties = {}, additionalProperties } = schema;
  const names = Object.keys(properties);
  const optional = names.filter((name) => !schema.required?.includes(name)).length;
  // An object with hundreds of fields gets a handful at a time, and fewer the deeper it is nested.
  const share = Math.min(50, Math.ceil(1000 / (path.length + 1) / Math.max(1, optional)));
  const fields = Object.fromEntries(
    names.map((name) => {
      const value = inner(properties[name]!, [...path, name]);
      if (schema.required?.includes(name)) return [name, value];
      const none = { weight: 100 - share, arbitrary: fc.constant(absent) };
      const some = { weight: share, arbitrary: new ArbitraryOrFallback(value, absent) };
      return [name, fc.oneof({ withCrossShrink: true }, none, some)];
    }),
  );
  const known: fc.Arbitrary<Json> = fc
    .record(fields, { noNullPrototype: true })
    .map((value) => Object.fromEntries(Object.entries(value).filter(isPresent)));
  const others = generateOtherFields(schema, additionalProperties, path);
  const values = others
    ? fc.tuple(others, known).map(([more, own]) => ({ ...(more as object), ...(own as object) }))
    : known;
  return schema['x-kubernetes-embedded-resource'] ? values.map(asManifest) : values;
}

function isPresent(entry: [string, Json | typeof absent]): entry is [string, Json] {
  return entry[1] !== absent;
}

/** Generates undeclared fields; undefined if the schema keeps none. */
function generateOtherFields(
  schema: JSONSchemaProps,
  values: JSONSchemaProps | boolean | undefined,
  path: Path,
): fc.Arbitrary<Json> | undefined {
  const { minProperties = 0, maxProperties = Infinity } = schema;
  const declared = Object.keys(schema.properties ?? {}).length;
  const most = maxProperties <= NEARLY_SMALL ? maxProperties : Math.max(minProperties, SMALL);
  const sizes = {
    minKeys: declared > 0 ? 0 : minProperties,
    maxKeys: Math.max(0, most - declared),
  };
  if (values === true || typeof values === 'object') {
    const value = values === true ? anything() : inner(values, [...path, 'key']);
    return fc.dictionary(keys, value, { ...sizes, noNullPrototype: true });
  }
  if (!schema['x-kubernetes-preserve-unknown-fields']) return undefined;
  const unknown = keys.filter((key) => !Object.hasOwn(schema.properties ?? {}, key));
  const size = { maxKeys: Math.min(2, maxProperties), noNullPrototype: true };
  return fc.dictionary(unknown, anything(), size);
}

const keys = fc
  .oneof(
    fc.constantFrom('a', 'some-key', 'example.com/name', 'UPPER', 'key.with.dots', 'with space'),
    fc.string({ minLength: 1, maxLength: 12 }),
    fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }),
  )
  // Code that copies a mapping key by key would set the prototype; no cluster stores this key.
  .filter((key) => key !== '__proto__');

function asManifest(value: Json): Json {
  const { metadata, ...rest } = value as Record<string, Json>;
  const named = { name: 'example', ...(isMapping(metadata) && metadata) };
  return { ...rest, apiVersion: 'v1', kind: 'ConfigMap', metadata: named as Json };
}

function lists(schema: JSONSchemaProps, path: Path): fc.Arbitrary<Json> {
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  const maxLength = maxItems <= NEARLY_SMALL ? maxItems : Math.max(minItems, SMALL);
  const lengths = { minLength: Math.min(minItems, maxLength), maxLength };
  const values = inner(items, [...path, 0]);
  const listType = schema['x-kubernetes-list-type'] ?? 'atomic';
  if (listType === 'atomic') return fc.array(values, lengths);
  const listKeys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (item: Json): string => {
    if (listType === 'set' || !isMapping(item)) return JSON.stringify(item);
    const parts = listKeys.map((key) => item[key] ?? items.properties?.[key]?.default ?? null);
    return JSON.stringify(parts);
  };
  return fc.uniqueArray(values, { ...lengths, selector: keyOf });
}

/** The number of random attempts before a known value is used. */
const MAX_TRIES = 40;

interface Context {
  readonly known: boolean;
  readonly inner: unknown;
}

/**
 * The values of an arbitrary that pass a check. After many failed attempts in a row it uses one of the fallbacks, where
 * fast-check's own filter would try forever.
 */
class Valid<T> extends fc.Arbitrary<T> {
  readonly #values: fc.Arbitrary<T>;
  readonly #check: (value: T) => boolean;
  readonly #fallbacks: () => readonly T[];
  #known: readonly T[] | undefined;

  constructor(
    values: fc.Arbitrary<T>,
    check: (value: T) => boolean,
    fallbacks: () => readonly T[],
  ) {
    super();
    this.#values = values;
    this.#check = check;
    this.#fallbacks = fallbacks;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    for (let i = 0; i < MAX_TRIES; i += 1) {
      const { value, context } = this.#values.generate(random, biasFactor);
      if (this.#check(value)) return new fc.Value(value, { known: false, inner: context });
    }
    this.#known ??= this.#fallbacks();
    const one = this.#known[random.nextInt(0, this.#known.length - 1)]!;
    return new fc.Value(structuredClone(one), { known: true, inner: undefined });
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#values.canShrinkWithoutContext(value) && this.#check(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    const { known, inner } = (context ?? { known: false, inner: undefined }) as Context;
    if (known) return fc.Stream.nil();
    return this.#values
      .shrink(value, inner)
      .filter((smaller) => this.#check(smaller.value))
      .map((smaller) => new fc.Value(smaller.value, { known: false, inner: smaller.context }));
  }
}

/** An arbitrary that is created on first use, because most parts of a large schema are never used. */
class Lazy<T> extends fc.Arbitrary<T> {
  readonly #make: () => fc.Arbitrary<T>;
  #made: fc.Arbitrary<T> | undefined;

  constructor(make: () => fc.Arbitrary<T>) {
    super();
    this.#make = make;
  }

  get #values(): fc.Arbitrary<T> {
    return (this.#made ??= this.#make());
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    return this.#values.generate(random, biasFactor);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#values.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#values.shrink(value, context);
  }
}

/** The values of an arbitrary, or of a fallback if the arbitrary turns out to have none. */
class ArbitraryOrFallback<T, N> extends fc.Arbitrary<T | N> {
  readonly #values: fc.Arbitrary<T>;
  readonly #otherwise: N;

  constructor(values: fc.Arbitrary<T>, otherwise: N) {
    super();
    this.#values = values;
    this.#otherwise = otherwise;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T | N> {
    try {
      return this.#values.generate(random, biasFactor);
    } catch (error) {
      if (error instanceof NoSample) return new fc.Value(this.#otherwise, undefined);
      throw error;
    }
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#values.canShrinkWithoutContext(value);
  }

  override shrink(value: T | N, context: unknown): fc.Stream<fc.Value<T>> {
    if (value === this.#otherwise) return fc.Stream.nil();
    return this.#values.shrink(value as T, context);
  }
}
