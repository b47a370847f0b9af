import { greater, lesser, MOST, plus, times } from './amount.ts';

/** How many characters, bytes, items or entries a value has, at least and at most. */
export interface Size {
  readonly min: bigint;
  readonly max: bigint;
}

/** The sizes of what is in a list or a map. */
export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Size;
  readonly value: Size;
}

export const UNKNOWN: Size = { min: 0n, max: MOST };

export const exactly = (size: bigint): Size => ({ min: size, max: size });

/** The size of a number, a truth value or a time. */
export const ONE = exactly(1n);

/** What holds the one size and the other. */
export const either = (a: Size, b: Size): Size => ({
  min: lesser(a.min, b.min),
  max: greater(a.max, b.max),
});

/** Undefined where the one or the other is not known. */
export function eitherEntry(
  a: EntrySizes | undefined,
  b: EntrySizes | undefined,
): EntrySizes | undefined {
  if (!a || !b) return undefined;
  return { container: a.container, key: either(a.key, b.key), value: either(a.value, b.value) };
}

/** The size of the one followed by the other. */
export const together = (a: Size, b: Size): Size => ({
  min: plus(a.min, b.min),
  max: plus(a.max, b.max),
});

export const product = (a: Size, b: Size): Size => ({
  min: times(a.min, b.min),
  max: times(a.max, b.max),
});

/** The size of all entries of a literal; of none where there is none. */
export function ofAll(sizes: readonly Size[]): Size {
  return sizes.length === 0 ? exactly(0n) : sizes.reduce(either);
}
