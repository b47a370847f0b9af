/** The most that 64 bits hold; what would be more stays there. */
export const MOST = 2n ** 64n - 1n;

const capped = (amount: bigint): bigint => (amount > MOST ? MOST : amount);

export const plus = (a: bigint, b: bigint): bigint => capped(a + b);

export const times = (a: bigint, b: bigint): bigint => capped(a * b);

/** Times a factor, as doubles are multiplied, and up to the next whole number. */
export function scaled(amount: bigint, factor: number): bigint {
  const product = Math.ceil(Number(amount) * factor);
  return product >= 2 ** 64 ? MOST : BigInt(product);
}

/** What is left of a number when 64 bits are all there is of it: the estimate wraps around in places. */
export const wrapped = (amount: bigint): bigint => BigInt.asUintN(64, amount);

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce(plus, 0n);

export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
