/**
 * A value of a type as a decoder gives it that asks no more than types: any field may be missing, and
 * what is there has its type. Null is what is missing.
 */
export type Decoded<T> = T extends readonly (infer Item)[]
  ? readonly Decoded<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]?: Decoded<T[Field]> }
    : T;
