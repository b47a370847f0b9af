import { Failure } from './failure.ts';
import { ListValue } from './collection.ts';
import { celName } from '../language/cel-name.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { rawOf, type JsonReader } from './raw-json.ts';
import { takeSteps } from './spending.ts';
import { equal, type Value } from './value.ts';

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
    return new SchemaList([...this.raw, ...Array.from(other, rawOf)], this.read);
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
      if (!known.has(key)) raw.push(rawOf(item));
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
      const added = rawOf(item);
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
      const mine = items.get(this.#keyOf(rawOf(item)));
      if (mine === undefined || !equal(this.read(mine), item)) return false;
    }
    return true;
  }

  #keyOf(item: unknown): string {
    const values = this.#keys.map((key) => (item as Record<string, unknown> | null)?.[key] ?? null);
    return JSON.stringify(values);
  }
}

/** Creates the list for an array by its schema. */
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
