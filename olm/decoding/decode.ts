import { isMapping } from '../../kube/mapping.ts';
import { didYouMean, findNearest, show, type Path } from '../../kube/problem.ts';
import { fieldsOf, type FieldsOfType } from './fields.ts';
import { scalarTypes, typesWithoutNull } from './scalars.ts';

/** A place in what is decoded, and what is to be said of it. */
export interface DecodeIssue {
  readonly path: Path;
  readonly message: string;
}

/** What a decoder made of a value. */
export interface DecodeResult<T> {
  /**
   * Only known fields, under the names that their types give them, and in each a value of its type: what
   * is empty or null is absent. Of use where there are no `faults`.
   */
  readonly value: T;
  /** Values of other types. With one, OLM's tools take nothing. */
  readonly faults: readonly DecodeIssue[];
  /** Fields that no such type has. They are passed over. */
  readonly unknown: readonly DecodeIssue[];
}

/**
 * Decodes a value as OLM's tools do, as a type of the field table: keys in any case, a number or a boolean
 * where a string is wanted becomes one, unknown fields are passed over. Takes any value of JSON and
 * never throws.
 *
 * Source: Unmarshal of sigs.k8s.io/yaml v1.6, and Go's encoding/json
 */
export function decodeAs<T>(type: string, value: unknown): DecodeResult<Partial<T>> {
  const decoder = new Decoder();
  const decoded = decoder.read(type, value, { isTarget: true, isExact: false });
  return {
    value: (decoded ?? {}) as Partial<T>,
    faults: decoder.faults,
    unknown: decoder.unknown,
  };
}

/** How a value is read where it stands. */
interface DecodeMode {
  /** A number or a boolean becomes a string where one is wanted. */
  readonly isTarget: boolean;
  /** Keys are of the case that the type gives them. */
  readonly isExact: boolean;
}

const EXACTLY: DecodeMode = { isTarget: false, isExact: true };

class Decoder {
  readonly faults: DecodeIssue[] = [];
  readonly unknown: DecodeIssue[] = [];
  /** Where the value is that is read. */
  readonly #path: (string | number)[] = [];

  /** Undefined for null, for an empty string, and for what is no value of the type. */
  read(type: string, value: unknown, manner: DecodeMode): unknown {
    if ((value === null || value === undefined) && !typesWithoutNull.has(type)) return undefined;
    if (type.startsWith('[]')) return this.#list(type.slice(2), value, manner);
    if (type.startsWith('{}')) return this.#map(type.slice(2), value, manner);
    if (type.startsWith('schema-or-')) return this.#schemaOr(type, value);
    const fields = fieldsOf(type);
    if (fields === undefined) return this.#scalar(type, value, manner);
    return isMapping(value) ? this.#struct(fields, value, manner) : this.#wrong('a mapping', value);
  }

  #at(key: string | number, type: string, value: unknown, manner: DecodeMode): unknown {
    this.#path.push(key);
    const read = this.read(type, value, manner);
    this.#path.pop();
    return read;
  }

  #scalar(type: string, value: unknown, manner: DecodeMode): unknown {
    const { must, takes } = scalarTypes[type]!;
    const isString = type === 'string' || type === 'string?';
    const read = isString && manner.isTarget ? asString(value) : value;
    if (!takes(read)) return this.#wrong(must, value);
    return type === 'string' && read === '' ? undefined : read;
  }

  #list(type: string, value: unknown, manner: DecodeMode): unknown {
    if (!Array.isArray(value)) return this.#wrong('a list', value);
    return value.map((item, i) => this.#at(i, type, item, manner) ?? emptyOf(type));
  }

  #map(type: string, value: unknown, manner: DecodeMode): unknown {
    if (!isMapping(value)) return this.#wrong('a mapping', value);
    const entries = Object.entries(value).map(([key, item]) => {
      return [key, this.#at(key, type, item, manner) ?? emptyOf(type)] as const;
    });
    return Object.fromEntries(entries);
  }

  #struct(fields: FieldsOfType, value: Record<string, unknown>, manner: DecodeMode): unknown {
    const read: Record<string, unknown> = {};
    const spelt = new Map<string, string>();
    for (const [key, item] of Object.entries(value)) {
      const field = manner.isExact ? key : fields.named(key);
      const type = field === undefined ? undefined : fields.types.get(field);
      if (field === undefined || type === undefined) {
        if (item !== null) this.#unknown(key, findNearest(key, fields.types.keys()));
        continue;
      }
      if (field !== key) this.#unknown(key, field);
      const isTarget = manner.isTarget && !fields.isEmbedded(field);
      const inner = isTarget === manner.isTarget ? manner : { ...manner, isTarget };
      const content = this.#at(key, type, item, inner);
      // Of several spellings, Go keeps the last in the order of their bytes.
      if (content === undefined || key < (spelt.get(field) ?? '')) continue;
      spelt.set(field, key);
      read[field] = content;
    }
    return read;
  }

  /** The types of JSON Schema that read themselves. */
  #schemaOr(type: string, value: unknown): unknown {
    if (isMapping(value)) return this.read('JSONSchemaProps', value, EXACTLY);
    if (type === 'schema-or-boolean') {
      return typeof value === 'boolean' ? value : this.#wrong('a schema, true or false', value);
    }
    if (!Array.isArray(value)) return undefined;
    return this.#list(type === 'schema-or-list' ? 'JSONSchemaProps' : 'string', value, EXACTLY);
  }

  #wrong(must: string, value: unknown): undefined {
    const message = `must be ${must}, got ${show(value ?? undefined)}`;
    this.faults.push({ path: [...this.#path], message });
    return undefined;
  }

  #unknown(key: string, meant: string | undefined): void {
    const message = `must be a known field, got ${show(key)}${didYouMean(meant)}`;
    this.unknown.push({ path: [...this.#path, key], message });
  }
}

/** What Go has where a list or a map holds null. */
function emptyOf(type: string): unknown {
  if (type === 'string') return '';
  return fieldsOf(type) === undefined ? undefined : {};
}

/** A number or a boolean as the string that is made of it. */
function asString(value: unknown): unknown {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return value;
  return Number.isInteger(value) ? String(value) : shortest(value);
}

/** With as few digits as tell it apart from its neighbours of 32 bits. */
function shortest(value: number): string {
  for (let digits = 1; digits <= 9; digits += 1) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === Math.fround(value)) return text;
  }
  return String(value);
}
