import { isDeepEqual } from '@tenantry/kube/json';
import { ComputedMap, ComputedList, ListValue, MapValue } from './collection.ts';
import { BoxedValue, type Value, equal } from './value.ts';
import { Failure, noSuchOverload } from './failure.ts';
import { celName } from '../language/cel-rules.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { takeSteps } from './spending.ts';

/** Converts JSON to a CEL value by a schema. Throws a Failure if it cannot. */
export type JsonReader = (raw: unknown) => Value;

/** A value that was read from JSON. */
interface OfJson {
  readonly raw: unknown;
}

/** Returns the JSON that a value was read from, or the value itself if an expression computed it. */
function toRaw(value: Value): unknown {
  return value instanceof BoxedValue && 'raw' in value ? (value as OfJson).raw : value;
}

/**
 * Returns the value without its schema. The API server forgets the schema of an optional value when an expression
 * selects a field of it: times are then strings, and names are as written.
 */
export function withoutSchema(value: Value): Value {
  const isOfJson = (value instanceof ListValue || value instanceof MapValue) && 'raw' in value;
  return isOfJson ? plain((value as unknown as OfJson).raw) : value;
}

function plain(raw: unknown): Value {
  if (typeof raw === 'number') return Number.isInteger(raw) ? BigInt(raw) : raw;
  if (Array.isArray(raw)) return new ComputedList(raw.map(plain));
  if (typeof raw === 'object' && raw !== null && !(raw instanceof BoxedValue)) {
    return new ComputedMap(Object.entries(raw).map(([key, value]) => [key, plain(value)] as const));
  }
  return raw as Value;
}

/**
 * A list of an object in which positions count (`x-kubernetes-list-type: atomic`, or none). Added items are read by the
 * schema of its items, as its own items are.
 */
class SchemaList extends ListValue {
  readonly raw: readonly unknown[];
  readonly read: JsonReader;

  constructor(raw: readonly unknown[], read: JsonReader) {
    super();
    this.raw = raw;
    this.read = read;
  }

  get size(): number {
    return this.raw.length;
  }

  at(index: number): Value {
    return this.read(this.raw[index]);
  }

  concat(other: ListValue): ListValue {
    takeSteps(this.size + other.size);
    return new SchemaList([...this.raw, ...Array.from(other, toRaw)], this.read);
  }

  override equals(other: Value): boolean {
    if (!(other instanceof ListValue)) throw new Failure('no such overload');
    return this.isSame(other);
  }

  protected isSame(other: ListValue): boolean {
    if (other.size !== this.size) return false;
    for (let i = 0; i < this.size; i += 1) if (!equal(this.at(i), other.at(i))) return false;
    return true;
  }
}

/**
 * A list with `x-kubernetes-list-type: set`. Order is irrelevant to equality, and `+` adds the items that are not in it
 * yet.
 */
class SetList extends SchemaList {
  override concat(other: ListValue): ListValue {
    takeSteps(this.size + other.size);
    const known = new Set(this.raw.map(keyOfRaw));
    const raw = [...this.raw];
    for (const item of other) {
      const key = keyOfValue(item);
      if (!known.has(key)) raw.push(toRaw(item));
      known.add(key);
    }
    return new SetList(raw, this.read);
  }

  protected override isSame(other: ListValue): boolean {
    if (other.size !== this.size) return false;
    const known = new Set(this.raw.map(keyOfRaw));
    return [...other].every((item) => known.has(keyOfValue(item)));
  }
}

/**
 * Returns the key by which the API server compares members of sets. It treats a whole number in JSON as an integer,
 * which never equals a double, even if the schema declares a number.
 */
function keyOfRaw(raw: unknown): unknown {
  return typeof raw === 'number' && Number.isInteger(raw) ? BigInt(raw) : raw;
}

function keyOfValue(value: Value): unknown {
  return typeof value === 'number' ? (Number.isInteger(value) ? `double ${value}` : value) : value;
}

/**
 * A list with `x-kubernetes-list-type: map`. Order is irrelevant to equality, and `+` replaces items with the same
 * keys.
 */
class MapList extends SchemaList {
  readonly #keys: readonly string[];

  constructor(raw: readonly unknown[], read: JsonReader, keys: readonly string[]) {
    super(raw, read);
    this.#keys = keys;
  }

  override concat(other: ListValue): ListValue {
    takeSteps(this.size + other.size);
    const raw = [...this.raw];
    const places = new Map(raw.map((item, i) => [this.#keyOf(item), i]));
    for (const item of other) {
      const added = toRaw(item);
      const place = places.get(this.#keyOf(added));
      if (place === undefined) raw.push(added);
      else raw[place] = added;
    }
    return new MapList(raw, this.read, this.#keys);
  }

  protected override isSame(other: ListValue): boolean {
    if (other.size !== this.size) return false;
    const items = new Map(this.raw.map((item) => [this.#keyOf(item), item]));
    for (const item of other) {
      const mine = items.get(this.#keyOf(toRaw(item)));
      if (mine === undefined || !equal(this.read(mine), item)) return false;
    }
    return true;
  }

  #keyOf(item: unknown): string {
    const values = this.#keys.map((key) => (item as Record<string, unknown> | null)?.[key] ?? null);
    return JSON.stringify(values);
  }
}

export function createSchemaList(
  schema: JSONSchemaProps,
  raw: readonly unknown[],
  read: JsonReader,
): ListValue {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return new SetList(raw, read);
    case 'map': {
      // The API server looks up the keys by their CEL names.
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      return new MapList(
        raw,
        read,
        keys.map((key) => celName(key) ?? key),
      );
    }
    default:
      return new SchemaList(raw, read);
  }
}

type Raw = Readonly<Record<string, unknown>>;

/** The properties of a schema by their names in CEL and in JSON. */
export interface Shape {
  readonly byName: ReadonlyMap<string, Field>;
  readonly byProperty: ReadonlyMap<string, Field>;
}

export interface Field {
  readonly name: string;
  readonly property: string;
  readonly read: JsonReader;
}

/** An object with properties. A property that is null is absent. */
export class ObjectValue extends MapValue {
  readonly raw: Raw;
  readonly #shape: Shape;

  constructor(raw: Raw, shape: Shape) {
    super();
    this.raw = raw;
    this.#shape = shape;
  }

  get size(): number {
    return Object.keys(this.raw).length;
  }

  find(key: Value): Value | undefined {
    const field = this.#field(key);
    return field && field.read(this.raw[field.property]);
  }

  override has(key: Value): boolean {
    return this.#field(key) !== undefined;
  }

  *keys(): Iterable<Value> {
    for (const property of Object.keys(this.raw)) {
      const field = this.#shape.byProperty.get(property);
      if (field) yield field.name;
    }
  }

  override equals(other: Value): boolean {
    if (!(other instanceof MapValue)) throw noSuchOverload();
    if (other.size !== this.size) return false;
    return Object.entries(this.raw).every(([property, value]) => {
      const field = this.#shape.byProperty.get(property);
      if (field) return bothOrNeither(this.find(field.name), other.find(field.name));
      if (!(other instanceof ObjectValue)) throw noSuchOverload();
      // A property that is not declared and that the other object lacks is ignored.
      return !Object.hasOwn(other.raw, property) || isDeepEqual(value, other.raw[property]);
    });
  }

  #field(key: Value): Field | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    const field = this.#shape.byName.get(key);
    if (!field || !Object.hasOwn(this.raw, field.property)) return undefined;
    return this.raw[field.property] === null ? undefined : field;
  }
}

function bothOrNeither(a: Value | undefined, b: Value | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equal(a, b);
}

/** A map of an object (`additionalProperties`). Its keys are as written. */
export class SchemaMap extends MapValue {
  readonly raw: Raw;
  readonly #read: JsonReader;

  constructor(raw: Raw, read: JsonReader) {
    super();
    this.raw = raw;
    this.#read = read;
  }

  get size(): number {
    return Object.keys(this.raw).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    return Object.hasOwn(this.raw, key) ? this.#read(this.raw[key]) : undefined;
  }

  keys(): Iterable<Value> {
    return Object.keys(this.raw);
  }

  override equals(other: Value): boolean {
    if (!(other instanceof MapValue)) throw noSuchOverload();
    return super.equals(other);
  }
}

/** A value without a schema. It can only be compared, as a part of an object. */
export class UnknownValue extends BoxedValue {
  readonly raw: unknown;

  constructor(raw: unknown) {
    super();
    this.raw = raw;
  }

  get typeName(): string {
    return 'unknown';
  }

  equals(other: Value): boolean {
    return other instanceof UnknownValue && isDeepEqual(this.raw, other.raw);
  }
}
