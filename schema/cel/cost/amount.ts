/** The largest 64-bit number; larger results are capped at it. */
export const MOST = 2n ** 64n - 1n;

const capped = (amount: bigint): bigint => (amount > MOST ? MOST : amount);

export const plus = (a: bigint, b: bigint): bigint => capped(a + b);

export const times = (a: bigint, b: bigint): bigint => capped(a * b);

/** Multiplies by a factor as doubles do, and rounds up. */
export function scaled(amount: bigint, factor: number): bigint {
  const product = Math.ceil(Number(amount) * factor);
  return product >= 2 ** 64 ? MOST : BigInt(product);
}

/** Wraps a number around at 64 bits, as the estimate does in some places. */
export const wrapped = (amount: bigint): bigint => BigInt.asUintN(64, amount);

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce(plus, 0n);

export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
