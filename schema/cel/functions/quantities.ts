import { Failure, Undecided, noSuchOverload } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { MAX_INT, MIN_INT, Rich, type Value } from '../value.ts';

const NANO: number = -9;

/**
 * A quantity as the API server holds it, however large: `value * 10 ** scale`. `small` ones were short enough for
 * a single number of 64 bits; only those are integers to CEL.
 */
class Quantity extends Rich {
  readonly value: bigint;
  readonly scale: number;
  readonly small: boolean;

  constructor(value: bigint, scale: number, small: boolean) {
    super();
    this.value = value;
    this.scale = scale;
    this.small = small;
  }

  get typeName(): string {
    return 'kubernetes.Quantity';
  }

  equals(other: Value): boolean {
    if (other instanceof Quantity) return compareQuantities(this, other) === 0n;
    throw noSuchOverload();
  }

  /** As a whole number of 64 bits; undefined for what is none to CEL. */
  get integer(): bigint | undefined {
    if (!this.small || this.scale < 0 || this.scale > 18) return undefined;
    const value = this.value * 10n ** BigInt(this.scale);
    return isInt64(value) ? value : undefined;
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

/** Digits that a 64-bit number holds, and what a binary suffix leaves of them. */
const DIGITS = 18;
const BINARY_DIGITS = 15;

function parseQuantity(text: string): Quantity | undefined {
  const match = /^([+-]?)0*(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[+-]?\d*)$/.exec(text);
  if (!match || text === '') return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  const num = whole || '0';
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix);
  const power = exponent ? Number(exponent[1]) : decimal[suffix];
  const shift = binary[suffix];
  if (power === undefined && shift === undefined) return undefined;
  if (power !== undefined && Math.abs(power) > 2 ** 31) return undefined;
  const digits = BigInt(num + fraction) * 2n ** BigInt(shift ?? 0);
  const value = sign === '-' ? -digits : digits;
  const scale = (power ?? 0) - fraction.length;
  const room =
    shift === undefined
      ? DIGITS - num.length - fraction.length
      : fraction === ''
        ? BINARY_DIGITS - num.length - Math.trunc((shift * 3) / 10) - 1
        : -1;
  if (room >= 0 && scale >= NANO && isInt64(value)) return new Quantity(value, scale, true);
  return bounded(value, scale, shift !== undefined);
}

/** Finer than billionths rounds away from zero; a binary one is capped at 64 bits. */
function bounded(value: bigint, scale: number, isBinary: boolean): Quantity {
  const magnitude = value < 0n ? -value : value;
  let [rounded, newScale] = [magnitude, scale];
  if (scale < NANO) {
    const divisor = 10n ** BigInt(NANO - scale);
    [rounded, newScale] = [(magnitude + divisor - 1n) / divisor, NANO];
  }
  const limit = newScale < 0 ? MAX_INT * 10n ** BigInt(-newScale) : MAX_INT;
  if (isBinary && rounded > limit) [rounded, newScale] = [MAX_INT, 0];
  return new Quantity(value < 0n ? -rounded : rounded, newScale, false);
}

/** Both values on the finer scale of the two. */
function aligned(a: Quantity, b: Quantity): [bigint, bigint, number] {
  const scale = Math.min(a.scale, b.scale);
  if (Math.max(a.scale, b.scale) - scale > 10_000)
    throw new Undecided('it computes with quantities that are far apart');
  return [
    a.value * 10n ** BigInt(a.scale - scale),
    b.value * 10n ** BigInt(b.scale - scale),
    scale,
  ];
}

function compareQuantities(a: Quantity, b: Quantity): bigint {
  const [left, right] = aligned(a, b);
  return left < right ? -1n : left > right ? 1n : 0n;
}

function add(a: Quantity, b: Quantity): Quantity {
  if (b.value === 0n && b.small) return a;
  if (a.value === 0n && a.small && b.small) return b;
  const [left, right, scale] = aligned(a, b);
  const fits = isInt64(left) && isInt64(right) && isInt64(left + right);
  return new Quantity(left + right, scale, a.small && b.small && fits);
}

const negated = ({ value, scale, small }: Quantity): Quantity => new Quantity(-value, scale, small);
const ofInteger = (value: bigint): Quantity => new Quantity(value, 0, true);

function toQuantity(text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity) return quantity;
  throw new Failure(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

/**
 * Quantities such as `500m` and `1Gi`.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-quantity-library
 */
export const quantities: Functions = {
  'quantity(string): quantity': toQuantity,
  'isQuantity(string): bool': (text: string) => parseQuantity(text) !== undefined,
  'sign(quantity): int': ({ value }: Quantity) => (value > 0n ? 1n : value < 0n ? -1n : 0n),
  'quantity::isGreaterThan(quantity): bool': (a: Quantity, b: Quantity) =>
    compareQuantities(a, b) > 0n,
  'quantity::isLessThan(quantity): bool': (a: Quantity, b: Quantity) =>
    compareQuantities(a, b) < 0n,
  'quantity::compareTo(quantity): int': compareQuantities,
  'quantity::asApproximateFloat(): double': ({ value, scale }: Quantity) =>
    scale === 0 ? Number(value) : Number(value) * Number(`1e${scale}`),
  'quantity::asInteger(): int': ({ integer }: Quantity) => {
    if (integer === undefined) throw new Failure('cannot convert value to integer');
    return integer;
  },
  'quantity::isInteger(): bool': ({ integer }: Quantity) => integer !== undefined,
  'quantity::add(quantity): quantity': add,
  'quantity::add(int): quantity': (a: Quantity, b: bigint) => add(a, ofInteger(b)),
  'quantity::sub(quantity): quantity': (a: Quantity, b: Quantity) => add(a, negated(b)),
  'quantity::sub(int): quantity': (a: Quantity, b: bigint) => add(a, ofInteger(-b)),
};
