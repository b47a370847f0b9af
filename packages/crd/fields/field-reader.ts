import { entryOf, isMapping } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import { parseTime } from '@tenantry/kube/time';

/** The differences between two readings of a manifest, and what they report. */
export interface FieldReadPolicy {
  /** Called first for every value that a field has. If it returns false, the value is read as null. */
  enter(shape: Shape, value: unknown, path: Path): boolean;
  /** Returns the result of reading a scalar of the right type. */
  scalar(shape: Scalar, value: unknown, path: Path): unknown;
  /** Returns the result of reading a value of another type, such as null in a list. */
  mistyped(shape: Shape, value: unknown, path: Path, reader: FieldReader): unknown;
  /** Returns whether a field with this content is left out. */
  isAbsent(shape: Shape, content: unknown): boolean;
  /** @param strict whether the API server reports it, rather than dropping it silently */
  unknown(fields: Fields, value: unknown, path: Path, strict: boolean): void;
  /**
   * A required field that is absent or null, or was read as nothing.
   * @param value as it is written
   * @returns what it is read as; undefined leaves it out
   */
  missing(shape: Shape, value: unknown, path: Path): unknown;
}

/** The one walk over a manifest by the table of its fields. */
export class FieldReader {
  readonly #reading: FieldReadPolicy;

  constructor(reading: FieldReadPolicy) {
    this.#reading = reading;
  }

  read(shape: Shape, value: unknown, path: Path, strict = true): unknown {
    if (!this.#reading.enter(shape, value, path)) return null;
    switch (shape.is) {
      case 'struct':
        if (isMapping(value)) return this.#struct(shape, value, path, strict);
        break;
      case 'list':
        if (Array.isArray(value)) return this.#list(shape.of, value, path, strict);
        break;
      case 'map':
        if (isMapping(value)) return this.#map(shape.of, value, path, strict);
        break;
      case 'items':
      case 'schema or boolean':
      case 'schema or names':
        return this.#schemaOr(shape, value, path);
      default:
        if (isScalar[shape.is](value)) return this.#reading.scalar(shape, value, path);
    }
    return this.#reading.mistyped(shape, value, path, this);
  }

  #list(of: Shape, list: readonly unknown[], path: Path, strict: boolean): unknown {
    return list.map((item, i) => this.read(of, item, [...path, i], strict));
  }

  #map(of: Shape, map: Record<string, unknown>, path: Path, strict: boolean): unknown {
    const entries = Object.entries(map)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, this.read(of, item, [...path, key], strict)]);
    return Object.fromEntries(entries);
  }

  #struct(struct: Struct, value: Record<string, unknown>, path: Path, strict: boolean): unknown {
    const fields = struct.fields();
    const read: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      const at = [...path, key];
      const shape = entryOf(fields, key);
      if (!shape) this.#reading.unknown(fields, item, at, strict);
      else if (item !== null) {
        const content = this.read(shape, item, at, strict);
        if (!this.#reading.isAbsent(shape, content)) read[key] = content;
      }
    }
    for (const name of struct.required) {
      if (Object.hasOwn(read, name)) continue;
      const instead = this.#reading.missing(fields[name]!, value[name], [...path, name]);
      if (instead !== undefined) read[name] = instead;
    }
    return read;
  }

  #schemaOr(shape: SchemaOr, value: unknown, path: Path): unknown {
    if (isMapping(value)) return this.read(shape.schema(), value, path, false);
    if (shape.is === 'schema or boolean' && typeof value === 'boolean') return value;
    if (shape.is === 'schema or names' && Array.isArray(value)) {
      return this.#list({ is: 'string' }, value, path, false);
    }
    return this.#reading.mistyped(shape, value, path, this);
  }
}

/** The type of an API field, which determines how JSON is read. */
export type Shape =
  | Scalar
  | Struct
  | { readonly is: 'list'; readonly of: Shape }
  | { readonly is: 'map'; readonly of: Shape }
  | SchemaOr;

export type Fields = Readonly<Record<string, Shape>>;

interface Struct {
  readonly is: 'struct';
  readonly fields: () => Fields;
  /** The fields without which the server refuses a definition. */
  readonly required: readonly string[];
}

/** A type that decodes itself: unknown fields below it are dropped silently. */
interface SchemaOr {
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

const nouns = {
  string: 'a string',
  boolean: 'true or false',
  int64: 'a whole number of 64 bits',
  int32: 'a whole number of 32 bits',
  number: 'a number',
  time: "a time such as '2026-01-31T12:00:00Z'",
  bytes: 'base64, with padding',
  list: 'a list',
} as const;

/** Describes the required type of a field. */
export function describeType({ is }: Shape): string {
  return is in nouns ? nouns[is as keyof typeof nouns] : 'a mapping';
}

/** Returns whether the API server reads a JSON value as a scalar of that name. */
const isScalar = {
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  int64: (value: unknown) => isWhole(value, 2n ** 63n),
  int32: (value: unknown) => isWhole(value, 2n ** 31n),
  number: (value: unknown) => typeof value === 'number' || typeof value === 'bigint',
  time: isTime,
  bytes: isBytes,
  json: () => true,
} as const;

/** Returns whether the number is whole in its JSON form: no fraction, no exponent. */
function isWhole(value: unknown, bound: bigint): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint') return false;
  const text = String(value);
  if (!/^-?\d+$/.test(text)) return false;
  const whole = BigInt(text);
  return -bound <= whole && whole < bound;
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && parseTime(value)?.isZoned === true;
}

function isBytes(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => item === null || isByte(item));
  if (typeof value !== 'string') return false;
  const text = value.replaceAll(/[\r\n]/g, '');
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
}

/** The rule, and the message, of a required field that the API server reads as false where it is left out. */
export const LEFT_OUT = 'left-out';
export const TAKEN_FOR_FALSE =
  'must be true or false, got nothing, which the API server takes for false';
