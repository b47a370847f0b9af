import { Failure, Undecided, noSuchOverload } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { MAX_INT, MIN_INT, BoxedValue, type Value } from '../value.ts';

const NANO: number = -9;

/** An amount: `value * 10 ** scale`. */
interface Amount {
  readonly value: bigint;
  readonly scale: number;
}

/** The amount of a quantity that exceeds 64 bits. The API server shares it between values, and so does this object. */
interface Shared {
  amount: Amount;
}

/**
 * A quantity as the API server stores it, of any size. A small one fits into a single 64-bit number; only small ones
 * are integers in CEL.
 *
 * The API server changes quantities while it computes with them, and this class does the same. A quantity that is
 * compared with a large one is no longer small. A sum that begins with a large one is also stored in that one.
 */
class Quantity extends BoxedValue {
  #small: Amount | undefined;
  readonly #shared: Shared;
  /** The API server has no equality with a sum on the right. */
  readonly #isSum: boolean;

  constructor(small: Amount | undefined, shared: Shared, isSum: boolean) {
    super();
    this.#small = small;
    this.#shared = shared;
    this.#isSum = isSum;
  }

  static small(amount: Amount, isSum = false): Quantity {
    return new Quantity(amount, { amount }, isSum);
  }

  static large(amount: Amount): Quantity {
    return new Quantity(undefined, { amount }, false);
  }

  get typeName(): string {
    return 'kubernetes.Quantity';
  }

  get amount(): Amount {
    return this.#shared.amount;
  }

  equals(other: Value): boolean {
    if (!(other instanceof Quantity) || other.#isSum) throw noSuchOverload();
    return compareAmounts(this.amount, other.amount) === 0n;
  }

  /** Returns -1, 0 or 1. */
  compareTo(other: Quantity): bigint {
    if (!other.#small) this.#small = undefined;
    return compareAmounts(this.amount, other.amount);
  }

  add(other: Quantity): Quantity {
    return this.#plus(other.#small, other.amount);
  }

  sub(other: Quantity): Quantity {
    const small = other.#small;
    const { value, scale } = other.amount;
    // The API server negates the smallest integer to itself.
    const minus = small && { value: BigInt.asIntN(64, -value), scale };
    return this.#plus(minus, { value: -value, scale });
  }

  #plus(small: Amount | undefined, amount: Amount): Quantity {
    const sum = this.#small && small && addSmall(this.#small, small);
    if (sum) return Quantity.small(sum, true);
    const [left, right, scale] = aligned(this.amount, amount);
    const total = { value: left + right, scale };
    if (this.#small) return new Quantity(undefined, { amount: total }, true);
    this.#shared.amount = total;
    return new Quantity(undefined, this.#shared, true);
  }

  /** The quantity as a 64-bit integer; undefined if CEL does not treat it as an integer. */
  get integer(): bigint | undefined {
    if (!this.#small) return undefined;
    const { value, scale } = this.#small;
    if (scale < 0) return undefined;
    if (value === 0n) return 0n;
    if (scale > 18) return undefined;
    const integer = value * 10n ** BigInt(scale);
    return isInt64(integer) ? integer : undefined;
  }
}

const isInt64 = (value: bigint): boolean => value <= MAX_INT && value >= MIN_INT;

const decimal: Readonly<Record<string, number | undefined>> = {
  '': 0,
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binary: Readonly<Record<string, number | undefined>> = {
  Ki: 10,
  Mi: 20,
  Gi: 30,
  Ti: 40,
  Pi: 50,
  Ei: 60,
};

/** The digits of a 64-bit number, and how many of them a binary suffix leaves. */
const DIGITS = 18;
const BINARY_DIGITS = 15;

function parseQuantity(text: string): Quantity | undefined {
  const match = /^([+-]?)(0*)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[+-]?\d*)$/.exec(text);
  if (!match || text === '') return undefined;
  const [, sign, zeros = '', whole = '', fraction = '', suffix = ''] = match;
  const num = whole || '0';
  const power = parseExponent(suffix) ?? decimal[suffix];
  const shift = binary[suffix];
  if (power === undefined && shift === undefined) return undefined;
  const digits = BigInt(num + fraction) * 2n ** BigInt(shift ?? 0);
  const value = sign === '-' ? -digits : digits;
  const scale = (power ?? 0) - fraction.length;
  const room =
    shift === undefined
      ? DIGITS - num.length - fraction.length
      : fraction === ''
        ? BINARY_DIGITS - num.length - Math.trunc((shift * 3) / 10) - 1
        : -1;
  if (room >= 0 && scale >= NANO) return Quantity.small({ value, scale });
  // Without a digit, only small quantities are valid.
  if (zeros + whole + fraction === '') return undefined;
  return Quantity.large(bounded(value, scale, shift !== undefined));
}

/** Parses an exponent `e3`: 64 bits are read, and 32 of them used. */
function parseExponent(suffix: string): number | undefined {
  const text = /^[eE]([+-]?\d+)/.exec(suffix)?.[1];
  if (text === undefined) return undefined;
  const exponent = BigInt(text);
  return isInt64(exponent) ? Number(BigInt.asIntN(32, exponent)) : undefined;
}

/** Converts to billionths and rounds away from zero; caps a binary quantity at 64 bits. */
function bounded(value: bigint, scale: number, isBinary: boolean): Amount {
  if (value === 0n) return { value, scale };
  const sign = value < 0n ? -1n : 1n;
  const nanos = toNano(value * sign, scale);
  const isCapped = isBinary && nanos > MAX_INT * 10n ** BigInt(-NANO);
  const [most, newScale] = isCapped ? [MAX_INT, 0] : [nanos, NANO];
  return { value: most * sign, scale: newScale };
}

function toNano(magnitude: bigint, scale: number): bigint {
  if (scale >= NANO) return magnitude * tenTo(scale - NANO);
  // An amount below one billionth is rounded up to one.
  const places = NANO - scale;
  if (places > String(magnitude).length) return 1n;
  const divisor = 10n ** BigInt(places);
  return (magnitude + divisor - 1n) / divisor;
}

/** The largest power that is computed; the API server takes extremely long for it. */
const LARGEST_POWER = 10_000;

function tenTo(power: number): bigint {
  if (power > LARGEST_POWER) throw new Undecided('it computes with quantities that are far apart');
  return 10n ** BigInt(power);
}

/** Converts both values to the finer scale of the two. */
function aligned(a: Amount, b: Amount): [bigint, bigint, number] {
  const scale = Math.min(a.scale, b.scale);
  return [a.value * tenTo(a.scale - scale), b.value * tenTo(b.scale - scale), scale];
}

function compareAmounts(a: Amount, b: Amount): bigint {
  const [left, right] = aligned(a, b);
  return left < right ? -1n : left > right ? 1n : 0n;
}

/** Adds within 64 bits; undefined on overflow. Adding zero does not change the scale. */
function addSmall(a: Amount, b: Amount): Amount | undefined {
  if (b.value === 0n) return a;
  if (a.value === 0n) return b;
  const [left, right, scale] = aligned(a, b);
  const value = left + right;
  return [left, right, value].every(isInt64) ? { value, scale } : undefined;
}

const ofInteger = (value: bigint): Quantity => Quantity.small({ value, scale: 0 });

function toQuantity(text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity) return quantity;
  throw new Failure(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

/**
 * Functions for quantities such as `500m` and `1Gi`.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-quantity-library
 */
export const quantities: Functions = {
  'quantity(string): quantity': toQuantity,
  'isQuantity(string): bool': (text: string) => parseQuantity(text) !== undefined,
  'sign(quantity): int': ({ amount: { value } }: Quantity) =>
    value > 0n ? 1n : value < 0n ? -1n : 0n,
  'quantity::isGreaterThan(quantity): bool': (a: Quantity, b: Quantity) => a.compareTo(b) > 0n,
  'quantity::isLessThan(quantity): bool': (a: Quantity, b: Quantity) => a.compareTo(b) < 0n,
  'quantity::compareTo(quantity): int': (a: Quantity, b: Quantity) => a.compareTo(b),
  'quantity::asApproximateFloat(): double': ({ amount: { value, scale } }: Quantity) =>
    Number(value) * Number(`1e${scale}`),
  'quantity::asInteger(): int': ({ integer }: Quantity) => {
    if (integer === undefined) throw new Failure('cannot convert value to integer');
    return integer;
  },
  'quantity::isInteger(): bool': ({ integer }: Quantity) => integer !== undefined,
  'quantity::add(quantity): quantity': (a: Quantity, b: Quantity) => a.add(b),
  'quantity::add(int): quantity': (a: Quantity, b: bigint) => a.add(ofInteger(b)),
  'quantity::sub(quantity): quantity': (a: Quantity, b: Quantity) => a.sub(b),
  'quantity::sub(int): quantity': (a: Quantity, b: bigint) => a.sub(ofInteger(b)),
};
