import { Failure, noSuchOverload } from './failure.ts';
import { takeSteps } from './spending.ts';
import {
  differ,
  equal,
  equalIfComparable,
  isNumeric,
  BoxedValue,
  typeNameOf,
  Uint,
  type Value,
} from './value.ts';

/** A CEL list with access by position. */
export abstract class ListValue extends BoxedValue {
  abstract readonly size: number;

  /** Returns the item at a position, which must exist. */
  abstract at(index: number): Value;

  abstract concat(other: ListValue): ListValue;

  get typeName(): string {
    return 'list';
  }

  *[Symbol.iterator](): IterableIterator<Value> {
    for (let i = 0; i < this.size; i += 1) yield this.at(i);
  }

  /** Whether the list contains a value. Throws a Failure if an item cannot be compared and none is equal. */
  contains(value: Value): boolean {
    let failure: Failure | undefined;
    for (let i = 0; i < this.size; i += 1) {
      try {
        if (equal(this.at(i), value)) return true;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failure ??= error;
      }
    }
    if (failure) throw failure;
    return false;
  }

  equals(other: Value): boolean {
    if (!(other instanceof ListValue) || other.size !== this.size) return false;
    for (let i = 0; i < this.size; i += 1) if (differ(this.at(i), other.at(i))) return false;
    return true;
  }

  override isZero(): boolean {
    return this.size === 0;
  }
}

/** A list that an expression computed. */
export class ComputedList extends ListValue {
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): Value {
    return this.items[index]!;
  }

  concat(other: ListValue): ListValue {
    takeSteps(this.size + other.size);
    return new ComputedList([...this.items, ...other]);
  }

  /** Ignores items that cannot be compared (cel-go, `baseList.Contains`). */
  override contains(value: Value): boolean {
    return this.items.some((item) => equalIfComparable(value, item));
  }
}

/** A CEL map, or an object with its fields by their CEL names. */
export abstract class MapValue extends BoxedValue {
  abstract readonly size: number;

  /** Returns the value of a key. Throws a Failure if the key has an invalid type. */
  abstract find(key: Value): Value | undefined;

  abstract keys(): Iterable<Value>;

  get typeName(): string {
    return 'map';
  }

  /** Whether the key is present; does not create its value. */
  has(key: Value): boolean {
    return this.find(key) !== undefined;
  }

  equals(other: Value): boolean {
    if (!(other instanceof MapValue) || other.size !== this.size) return false;
    for (const key of this.keys()) {
      const theirs = other.find(key);
      if (theirs === undefined || differ(this.find(key)!, theirs)) return false;
    }
    return true;
  }

  override isZero(): boolean {
    return this.size === 0;
  }
}

/** A map that an expression computed. */
export class ComputedMap extends MapValue {
  readonly #entries = new Map<unknown, readonly [Value, Value]>();

  constructor(entries: Iterable<readonly [Value, Value]>) {
    super();
    for (const [key, value] of entries) this.#entries.set(keyOf(key), [key, value]);
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: Value): Value | undefined {
    return this.#entries.get(keyOf(key))?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** Normalizes a key: 1, 1u and 1.0 are the same key. */
function keyOf(key: Value): unknown {
  if (typeof key === 'string' || typeof key === 'boolean' || typeof key === 'bigint') return key;
  if (key instanceof Uint) return key.value;
  if (typeof key === 'number') return Number.isInteger(key) ? BigInt(key) : key;
  return key;
}

/** Returns the value at a key or a position; undefined if there is none. */
export function lookUp(container: Value, key: Value): Value | undefined {
  if (container instanceof MapValue) return container.find(key);
  if (!(container instanceof ListValue)) return undefined;
  const index = positionOf(key);
  return index >= 0 && index < container.size ? container.at(index) : undefined;
}

function positionOf(key: Value): number {
  if (!isNumeric(key)) throw new Failure(`unsupported index type '${typeNameOf(key)}' in list`);
  const index = Number(key instanceof Uint ? key.value : key);
  if (!Number.isInteger(index)) throw new Failure(`unsupported index value ${index} in list`);
  return index;
}

/** Evaluates `container[key]` and `container.key`. */
export function index(container: Value, key: Value): Value {
  const found = lookUp(container, key);
  if (found !== undefined) return found;
  const what = container instanceof ListValue ? 'index out of bounds' : 'no such key';
  throw new Failure(`${what}: ${String(key instanceof Uint ? key.value : key)}`);
}

/** Evaluates `a + b` for lists. */
export function concat(a: Value, b: Value): Value {
  if (a instanceof ListValue && b instanceof ListValue) return a.concat(b);
  throw noSuchOverload();
}
