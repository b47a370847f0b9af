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

/** Returns the size of a concatenation. */
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
