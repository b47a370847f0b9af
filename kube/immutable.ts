/** A type without assignable fields, at any depth. */
export type Immutable<T> = T extends string | ((...args: never) => unknown)
  ? T
  : T extends readonly (infer I)[]
    ? readonly Immutable<I>[]
    : T extends object
      ? { readonly [F in keyof T]: Immutable<T[F]> }
      : T;
