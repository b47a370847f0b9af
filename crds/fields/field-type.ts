/** The type of an API field, which determines how JSON is read. */
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
  /** The fields without which the server refuses a definition. */
  readonly required: readonly string[];
}

/** A type that decodes itself: unknown fields below it are dropped silently. */
export interface SchemaOr {
  readonly is: 'items' | 'schema or boolean' | 'schema or names';
  readonly schema: () => Shape;
}

export interface Scalar {
  readonly is: 'string' | 'boolean' | 'int64' | 'int32' | 'number' | 'json' | 'time' | 'bytes';
  /** Whether the empty string and false differ from absence. */
  readonly pointer?: true;
  /** All strings that the server accepts. */
  readonly words?: readonly string[];
  /** The required replacement: the server reads the field, and refuses every definition that has it. */
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
