import { byteLength } from '@tenantry/kube/names';
import type { JSONSchemaProps } from '../../json-schema.ts';
import { celName } from '../../language/cel-rules.ts';
import { isVisible, visibleProperties } from '../schema-type.ts';

/** The largest 64-bit number; larger results are capped at it. */
export const MAX_COST = 2n ** 64n - 1n;

const capped = (amount: bigint): bigint => (amount > MAX_COST ? MAX_COST : amount);

export const plus = (a: bigint, b: bigint): bigint => capped(a + b);

export const times = (a: bigint, b: bigint): bigint => capped(a * b);

/** Multiplies by a factor as doubles do, and rounds up. */
export function scaled(amount: bigint, factor: number): bigint {
  const product = Math.ceil(Number(amount) * factor);
  return product >= 2 ** 64 ? MAX_COST : BigInt(product);
}

/** Wraps a number around at 64 bits, as the estimate does in some places. */
export const wrapped = (amount: bigint): bigint => BigInt.asUintN(64, amount);

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce(plus, 0n);

export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The minimum and maximum number of characters, bytes, items or entries of a value. */
export interface Size {
  readonly min: bigint;
  readonly max: bigint;
}

/** The sizes of the keys and values of a list or a map. */
export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Size;
  readonly value: Size;
}

export const UNKNOWN: Size = { min: 0n, max: MAX_COST };

export const exactly = (size: bigint): Size => ({ min: size, max: size });

/** The size of a number, a boolean or a time. */
export const ONE = exactly(1n);

/** Returns a size that includes both sizes. */
export const either = (a: Size, b: Size): Size => ({
  min: lesser(a.min, b.min),
  max: greater(a.max, b.max),
});

/** Combines two entry sizes; undefined if one of them is unknown. */
export function eitherEntry(
  a: EntrySizes | undefined,
  b: EntrySizes | undefined,
): EntrySizes | undefined {
  if (!a || !b) return undefined;
  return { container: a.container, key: either(a.key, b.key), value: either(a.value, b.value) };
}

export const together = (a: Size, b: Size): Size => ({
  min: plus(a.min, b.min),
  max: plus(a.max, b.max),
});

export const product = (a: Size, b: Size): Size => ({
  min: times(a.min, b.min),
  max: times(a.max, b.max),
});

/** Returns the size that includes all entries of a literal; zero if there are none. */
export function ofAll(sizes: readonly Size[]): Size {
  return sizes.length === 0 ? exactly(0n) : sizes.reduce(either);
}

/** The largest request that the API server accepts, in bytes. */
const LARGEST_REQUEST = 3 * 1024 * 1024;
/** The bytes of values in JSON, with their quotes: the shortest, or for the last two the longest. */
const EMPTY = 2;
const SHORTEST_BOOLEAN = 4;
const SHORTEST_NUMBER = 1;
const SHORTEST_DURATION = 3;
const DATE = 12;
const SHORTEST_DATE_TIME = 21;
const MAX_TIME_LENGTH = 32;
/** The maximum bytes of a character. */
const CHARACTER = 4n;

/** The field of a schema that limits the size of its values. */
export type SizeKeyword = 'maxItems' | 'maxLength' | 'maxProperties';

/** Bounds that replace those of schemas, for what-if estimates. */
export type BoundOverrides = ReadonlyMap<JSONSchemaProps, number>;

const NO_OTHERS: BoundOverrides = new Map();

/**
 * The maximum sizes of a schema's values in a request that the API server accepts, by the API server's own estimate.
 * Parts are computed on demand.
 *
 * Source: SchemaDeclType of k8s.io/apiserver/pkg/cel/common (schemas.go), and its limits.go
 */
export class SchemaSize {
  readonly schema: JSONSchemaProps;
  readonly #isResource: boolean;
  readonly #others: BoundOverrides;
  #fields: Map<string, SchemaSize> | undefined;
  #item: SchemaSize | undefined;
  #least: number | undefined;

  constructor(schema: JSONSchemaProps, isRoot = false, others = NO_OTHERS) {
    this.schema = schema;
    this.#isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
    this.#others = others;
  }

  /** The number of characters (four for each that the schema allows), bytes, items or entries; 0 for other values. */
  get size(): Size {
    return { min: 0n, max: BigInt.asUintN(64, this.#most()) };
  }

  /** The keyword that limits the size, or could; undefined if no keyword of the schema can. */
  get bound(): SizeKeyword | undefined {
    const { type, format = '', enum: choices = [], maxLength } = this.schema;
    if (this.#isIntOrString) return 'maxLength';
    if (type === 'array') return 'maxItems';
    if (type === 'object') return this.#isMap ? 'maxProperties' : undefined;
    if (type !== 'string' || isTime(format)) return undefined;
    return maxLength === undefined && choices.length > 0 && format !== 'byte'
      ? undefined
      : 'maxLength';
  }

  /** The bytes of the shortest value in JSON. */
  get least(): number {
    return (this.#least ??= this.#shortest());
  }

  /** How many values of the schema fit into a request. */
  get count(): bigint {
    return BigInt(Math.floor(LARGEST_REQUEST / (this.least + 1)));
  }

  /** Follows one step of a route: a field by its CEL name, `@items`, `@values` or `@keys`. */
  step(name: string): SchemaSize | undefined {
    if (name === '@items' || name === '@values') return this.item;
    if (name === '@keys') return this.#isMap ? new SchemaSize(NOTHING) : undefined;
    this.#fields ??= this.#fieldSizes();
    return this.#fields.get(name);
  }

  /** The items of a list or the values of a map. */
  get item(): SchemaSize | undefined {
    const { type, items, additionalProperties: values } = this.schema;
    const inner = type === 'array' ? items : this.#isMap ? values : undefined;
    if (this.#isIntOrString || typeof inner !== 'object') return undefined;
    return (this.#item ??= new SchemaSize(inner, false, this.#others));
  }

  get #isIntOrString(): boolean {
    return this.schema['x-kubernetes-int-or-string'] === true;
  }

  get #isMap(): boolean {
    const { type, additionalProperties } = this.schema;
    return type === 'object' && typeof additionalProperties === 'object';
  }

  #most(): bigint {
    const { type, format = '', enum: choices = [] } = this.schema;
    if (type === 'string' && !this.#isIntOrString) {
      if (isTime(format)) return BigInt(format === 'date' ? DATE : MAX_TIME_LENGTH);
      if (format === 'byte') return this.#given('maxLength') ?? MAX_TEXT_LENGTH;
      const length = this.#given('maxLength');
      if (length === undefined && choices.length > 0) return longest(choices);
      return length === undefined ? MAX_TEXT_LENGTH : length * CHARACTER;
    }
    switch (this.bound) {
      case 'maxLength': {
        const length = this.#given('maxLength');
        return length === undefined ? MAX_TEXT_LENGTH : length * CHARACTER;
      }
      case 'maxItems':
        return this.#given('maxItems') ?? fitting(this.item!.least + 1);
      case 'maxProperties':
        return this.#given('maxProperties') ?? fitting(this.item!.least + 6);
      default:
        return 0n;
    }
  }

  #given(bound: SizeKeyword): bigint | undefined {
    const given = this.#others.get(this.schema) ?? this.schema[bound];
    return given === undefined ? undefined : BigInt(Math.max(given, 0));
  }

  #shortest(): number {
    const { type, format = '' } = this.schema;
    if (this.#isIntOrString) return SHORTEST_NUMBER;
    switch (type) {
      case 'boolean':
        return SHORTEST_BOOLEAN;
      case 'integer':
      case 'number':
        return SHORTEST_NUMBER;
      case 'string':
        if (format === 'date') return DATE;
        if (format === 'date-time') return SHORTEST_DATE_TIME;
        return format === 'duration' ? SHORTEST_DURATION : EMPTY;
      default:
        return type === 'object' && !this.#isMap ? this.#shortestObject() : EMPTY;
    }
  }

  /**
   * Returns the size of the shortest object, with its required fields. The API server fills in those with a default.
   */
  #shortestObject(): number {
    const { required = [] } = this.schema;
    const properties = this.#properties();
    let bytes = EMPTY;
    for (const name of new Set(required)) {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!field || !isVisible(field) || (field.default ?? null) !== null) continue;
      bytes += byteLength(name) + this.#computeSize(field).least + 4;
    }
    return bytes;
  }

  #fieldSizes(): Map<string, SchemaSize> {
    const fields = new Map<string, SchemaSize>();
    if (this.schema.type !== 'object' || this.#isMap || this.#isIntOrString) return fields;
    for (const [property, schema] of Object.entries(this.#properties())) {
      const name = celName(property);
      if (name !== undefined && isVisible(schema)) fields.set(name, this.#computeSize(schema));
    }
    return fields;
  }

  #properties(): Readonly<Record<string, JSONSchemaProps>> {
    return visibleProperties(this.schema, this.#isResource) ?? {};
  }

  #computeSize(schema: JSONSchemaProps): SchemaSize {
    return new SchemaSize(schema, false, this.#others);
  }
}

/** The schema of map keys: the API server knows no size for them, and treats it as zero. */
const NOTHING: JSONSchemaProps = {};

const MAX_TEXT_LENGTH = BigInt(LARGEST_REQUEST - EMPTY);

const isTime = (format: string): boolean => ['date', 'date-time', 'duration'].includes(format);

const fitting = (bytes: number): bigint => BigInt(Math.floor((LARGEST_REQUEST - EMPTY) / bytes));

function longest(choices: readonly unknown[]): bigint {
  const texts = choices.filter((one) => typeof one === 'string');
  return BigInt(Math.max(0, ...texts.map(byteLength)));
}
