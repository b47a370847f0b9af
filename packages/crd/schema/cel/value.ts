import { Failure, noSuchOverload } from './failure.ts';
import { takeSteps } from './spending.ts';

/** A CEL value: `bigint` is int, `number` is double. */
export type Value = boolean | bigint | number | string | null | Uint8Array | BoxedValue;

/** A value for which JavaScript has no type. */
export abstract class BoxedValue {
  /** The name in `type(value)`. */
  abstract readonly typeName: string;

  /** Throws a Failure if CEL cannot compare the values. */
  abstract equals(other: Value): boolean;

  /** Whether it is a zero value, as `optional.ofNonZeroValue` checks. */
  isZero(): boolean {
    return false;
  }
}

/** An unsigned 64-bit integer. */
export class Uint extends BoxedValue {
  readonly value: bigint;

  constructor(value: bigint) {
    super();
    this.value = value;
  }

  get typeName(): string {
    return 'uint';
  }

  equals(other: Value): boolean {
    return isNumeric(other) && compareNumbers(this, other) === 0;
  }

  override isZero(): boolean {
    return this.value === 0n;
  }
}

/** A duration in nanoseconds, within 64 bits. */
export class Duration extends BoxedValue {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    super();
    if (nanos > MAX_INT || nanos < MIN_INT) throw new Failure('duration overflow');
    this.nanos = nanos;
  }

  get typeName(): string {
    return 'google.protobuf.Duration';
  }

  equals(other: Value): boolean {
    return other instanceof Duration && other.nanos === this.nanos;
  }

  override isZero(): boolean {
    return this.nanos === 0n;
  }
}

/** The time range of CEL: the years 1 to 9999. */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

/** A point in time: nanoseconds since 1970 in UTC, and the offset in minutes with which it was written. */
export class Timestamp extends BoxedValue {
  readonly nanos: bigint;
  readonly offset: number;

  constructor(nanos: bigint, offset = 0) {
    super();
    const seconds = floorDivide(nanos, 1_000_000_000n);
    if (seconds < FIRST_SECOND || seconds > LAST_SECOND) throw new Failure('timestamp overflow');
    this.nanos = nanos;
    this.offset = offset;
  }

  get typeName(): string {
    return 'google.protobuf.Timestamp';
  }

  equals(other: Value): boolean {
    return other instanceof Timestamp && other.nanos === this.nanos;
  }

  override isZero(): boolean {
    return this.nanos === FIRST_SECOND * 1_000_000_000n;
  }
}

/** A type as a value: `int`, `type(self.port)`. */
export class TypeValue extends BoxedValue {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  get typeName(): string {
    return 'type';
  }

  equals(other: Value): boolean {
    return other instanceof TypeValue && other.name === this.name;
  }
}

/** An optional value: present or absent. */
export class Optional extends BoxedValue {
  static readonly none = new Optional(undefined);
  readonly #value: Value | undefined;

  constructor(value: Value | undefined) {
    super();
    this.#value = value;
  }

  get typeName(): string {
    return 'optional_type';
  }

  get hasValue(): boolean {
    return this.#value !== undefined;
  }

  get value(): Value {
    if (this.#value === undefined) throw new Failure('optional.none() dereference');
    return this.#value;
  }

  equals(other: Value): boolean {
    if (!(other instanceof Optional)) return false;
    if (!this.hasValue || !other.hasValue) return this.hasValue === other.hasValue;
    return equal(this.value, other.value);
  }
}

export const MAX_INT = 2n ** 63n - 1n;
export const MIN_INT = -(2n ** 63n);
export const MAX_UINT = 2n ** 64n - 1n;

export function int(value: bigint): bigint {
  if (value > MAX_INT || value < MIN_INT) throw new Failure('integer overflow');
  return value;
}

export function uint(value: bigint): Uint {
  if (value > MAX_UINT || value < 0n) throw new Failure('unsigned integer overflow');
  return new Uint(value);
}

/** Divides and rounds towards minus infinity, unlike `/`. */
export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

export function typeNameOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'double';
    default:
      if (value === null) return 'null_type';
      return value instanceof Uint8Array ? 'bytes' : value.typeName;
  }
}

export function isNumeric(value: Value): value is bigint | number | Uint {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/** Implements `==`. Compares int, uint and double by numeric value; values of other different types are unequal. */
export function equal(a: Value, b: Value): boolean {
  takeSteps();
  if (a === null || b === null) return a === b;
  if (a instanceof BoxedValue) return a.equals(b);
  if (typeof a === typeof b && !(a instanceof Uint8Array)) return a === b;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  return isNumeric(a) && isNumeric(b) && compareNumbers(a, b) === 0;
}

/** Implements `==`, but returns undefined for values that cannot be compared, where the API server continues. */
export function equalIfComparable(a: Value, b: Value): boolean | undefined {
  try {
    return equal(a, b);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/**
 * Whether two items make their lists or maps differ. Items that cannot be compared do not (cel-go, `baseList.Equal` and
 * `baseMap.Equal`).
 */
export function differ(a: Value, b: Value): boolean {
  return equalIfComparable(a, b) === false;
}

/**
 * Implements `<`, `<=`, `>`, `>=`: returns a number below, at or above 0. Throws a Failure for values without an order.
 */
export function compare(a: Value, b: Value): number {
  const order = orderOf(a, b);
  if (order !== undefined) return order;
  throw isNumeric(a) && isNumeric(b)
    ? new Failure('NaN values cannot be ordered')
    : noSuchOverload();
}

/** Returns a number below, at or above 0; undefined for values without an order. */
export function orderOf(a: Value, b: Value): number | undefined {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Duration && b instanceof Duration) return order(a.nanos, b.nanos);
  if (a instanceof Timestamp && b instanceof Timestamp) return order(a.nanos, b.nanos);
  return undefined;
}

function order<T extends bigint | number>(a: T, b: T): number {
  return a < b ? -1 : Number(a > b);
}

function compareNumbers(a: bigint | number | Uint, b: bigint | number | Uint): number | undefined {
  const [left, right] = [a instanceof Uint ? a.value : a, b instanceof Uint ? b.value : b];
  if (Number.isNaN(left) || Number.isNaN(right)) return undefined;
  // As in cel-go, a double and an integer are compared as doubles, unless the double is out of the integer's range.
  if (typeof left === 'number' && typeof right === 'bigint') return asDoubles(left, right, b);
  if (typeof right === 'number' && typeof left === 'bigint') return -asDoubles(right, left, a);
  return order(left as bigint, right as bigint);
}

function asDoubles(double: number, integer: bigint, kind: unknown): number {
  if (double < (kind instanceof Uint ? 0 : -(2 ** 63))) return -1;
  if (double > (kind instanceof Uint ? 2 ** 64 : 2 ** 63)) return 1;
  return order(double, Number(integer));
}

/** Compares by code points, which is the order of Go's UTF-8 bytes. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left === right) continue;
    const [leftHigh, rightHigh] = [isSurrogate(left), isSurrogate(right)];
    if (leftHigh !== rightHigh) return leftHigh ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
