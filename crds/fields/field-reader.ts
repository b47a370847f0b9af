import { entryOf, isMapping } from '../../kube/mapping.ts';
import type { Path } from '../../kube/problem.ts';
import type { Fields, Scalar, SchemaOr, Shape, Struct } from './field-type.ts';
import { isScalar } from './field-values.ts';

/** The differences between two readings of a manifest, and what they report. */
export interface FieldReadPolicy {
  /** Asked first of every value that a field has; one that it turns down is read as null. */
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
