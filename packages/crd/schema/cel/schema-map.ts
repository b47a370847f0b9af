import { isDeepEqual } from '@tenantry/kube/json';
import { MapValue } from './collection.ts';
import { noSuchOverload } from './failure.ts';
import type { JsonReader } from './raw-json.ts';
import { equal, BoxedValue, type Value } from './value.ts';

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
