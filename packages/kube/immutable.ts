/** A type without assignable fields, at any depth. */
export type Immutable<T> = T extends string | ((...args: never) => unknown)
  ? T
  : T extends readonly (infer I)[]
    ? readonly Immutable<I>[]
    : T extends object
      ? { readonly [F in keyof T]: Immutable<T[F]> }
      : T;

/** Freezes a value and everything in it. A frozen part is taken to be frozen whole. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
