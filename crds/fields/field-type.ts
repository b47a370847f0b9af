/** The type of a field of the API, and how JSON is read into it. */
export type Shape =
  | Scalar
  | Struct
  | { readonly is: 'list'; readonly of: Shape }
  | { readonly is: 'map'; readonly of: Shape }
  | SchemaOr;

export type Fields = Readonly<Record<string, Shape>>;

export interface Struct {
  readonly is: 'struct';
  readonly fields: () => Fields;
  /** Without these, the server takes no definition. */
  readonly required: readonly string[];
}

/** A type that reads itself: below it, unknown fields are dropped silently. */
export interface SchemaOr {
  readonly is: 'items' | 'schema or boolean' | 'schema or names';
  readonly schema: () => Shape;
}

export interface Scalar {
  readonly is: 'string' | 'boolean' | 'int64' | 'int32' | 'number' | 'json' | 'time' | 'bytes';
  /** The empty string and false are told apart from absence. */
  readonly pointer?: true;
  /** All strings that the server takes. */
  readonly words?: readonly string[];
  /**
   * What has to stand there instead: the server reads the field, and takes no definition with it.
   */
  readonly instead?: string;
}

export const string: Shape = { is: 'string' };
export const stringPointer: Shape = { is: 'string', pointer: true };
export const boolean: Shape = { is: 'boolean' };
export const booleanPointer: Shape = { is: 'boolean', pointer: true };
export const int64: Shape = { is: 'int64' };
export const int32: Shape = { is: 'int32' };
export const number: Shape = { is: 'number' };
export const json: Shape = { is: 'json' };
export const time: Shape = { is: 'time' };
export const bytes: Shape = { is: 'bytes' };
export const list = (of: Shape): Shape => ({ is: 'list', of });
export const map = (of: Shape): Shape => ({ is: 'map', of });
export const struct = (fields: () => Fields, required: readonly string[] = []): Shape => ({
  is: 'struct',
  fields,
  required,
});
export const oneOf = (...words: readonly string[]): Shape => ({ is: 'string', words });
export const oneOfPointer = (...words: readonly string[]): Shape => ({
  is: 'string',
  pointer: true,
  words,
});
export const refused = (instead: string): Shape => ({ is: 'string', pointer: true, instead });
