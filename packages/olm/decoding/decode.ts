import { isMapping } from '@tenantry/kube/mapping';
import { didYouMean, findNearest, show, type Path } from '@tenantry/kube/problem';
import { parseTime } from '@tenantry/kube/time';
import { parseVersion } from '@tenantry/kube/semver';
import { parseOlmVersion } from '../semver/version.ts';
import { findFields, type FieldsOfType } from './fields.ts';

/** A path in the decoded value, and the message about it. */
export interface DecodeIssue {
  readonly path: Path;
  readonly message: string;
}

/** The result of decoding a value. */
export interface DecodeResult<T> {
  /**
   * The known fields, by the names of their types, each with a value of its type. Empty and null fields are absent.
   * Meaningful only without `faults`.
   */
  readonly value: T;
  /** Values of wrong types. OLM's tools refuse everything if there is one. */
  readonly faults: readonly DecodeIssue[];
  /** Fields that the type does not have. They are ignored. */
  readonly unknown: readonly DecodeIssue[];
}

/**
 * Decodes a value as OLM's tools do, as a type of the field table. Keys match in any case, a number or a boolean
 * becomes a string where a string is expected, and unknown fields are ignored. Accepts any JSON value and never throws.
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

/** The mode in which a value is read at its place. */
interface DecodeMode {
  /** Whether a number or a boolean becomes a string where a string is expected. */
  readonly isTarget: boolean;
  /** Whether keys must match the case of the type. */
  readonly isExact: boolean;
}

const EXACTLY: DecodeMode = { isTarget: false, isExact: true };

class Decoder {
  readonly faults: DecodeIssue[] = [];
  readonly unknown: DecodeIssue[] = [];
  /** The path of the value that is being read. */
  readonly #path: (string | number)[] = [];

  /** Returns undefined for null, for an empty string, and for a value of a wrong type. */
  read(type: string, value: unknown, manner: DecodeMode): unknown {
    if ((value === null || value === undefined) && !typesWithoutNull.has(type)) return undefined;
    if (type.startsWith('[]')) return this.#list(type.slice(2), value, manner);
    if (type.startsWith('{}')) return this.#map(type.slice(2), value, manner);
    if (type.startsWith('schema-or-')) return this.#schemaOr(type, value);
    const fields = findFields(type);
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
      // Of several spellings, Go uses the last in byte order.
      if (content === undefined || key < (spelt.get(field) ?? '')) continue;
      spelt.set(field, key);
      read[field] = content;
    }
    return read;
  }

  /** Reads the types of JSON Schema that have their own decoder. */
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

/** Returns Go's value for a null in a list or a map. */
function emptyOf(type: string): unknown {
  if (type === 'string') return '';
  return findFields(type) === undefined ? undefined : {};
}

/** Converts a number or a boolean to a string. */
function asString(value: unknown): unknown {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return value;
  return Number.isInteger(value) ? String(value) : shortest(value);
}

/** Formats a number with the fewest digits that identify it among 32-bit numbers. */
function shortest(value: number): string {
  for (let digits = 1; digits <= 9; digits += 1) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === Math.fround(value)) return text;
  }
  return String(value);
}

/** A type without fields: the description of its values, and the check of a value. */
interface ScalarType {
  readonly must: string;
  readonly takes: (value: unknown) => boolean;
}

/** A quantity. It may be a sign, a point or a suffix without a digit: all of these are 0. */
const QUANTITY = /^[+-]?[0-9]*([.][0-9]*)?([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The types without fields, as Go decodes them from JSON, including strings with their own decoder. */
const scalarTypes: Readonly<Record<string, ScalarType>> = {
  string: { must: 'a string', takes: (value) => typeof value === 'string' },
  'string?': { must: 'a string', takes: (value) => typeof value === 'string' },
  boolean: { must: 'true or false', takes: (value) => typeof value === 'boolean' },
  int32: { must: 'a whole number of 32 bits', takes: (value) => isWhole(value, 2 ** 31) },
  int64: { must: 'a whole number of 64 bits', takes: (value) => isWhole(value, 2 ** 63) },
  number: { must: 'a number', takes: (value) => typeof value === 'number' },
  any: { must: 'a value', takes: () => true },
  bytes: { must: 'base64', takes: isBytes },
  time: { must: "a time such as '2026-01-31T12:00:00Z'", takes: isTime },
  quantity: { must: "a quantity such as '500m', '2Gi' or 10", takes: isQuantity },
  'int-or-string': {
    must: 'a whole number or a string',
    takes: (value) => typeof value === 'string' || isWhole(value, 2 ** 31),
  },
  version: {
    must: "a version such as '1.2.3', in quotes",
    takes: (value) => typeof value === 'string' && parseOlmVersion(value) !== undefined,
  },
  release: {
    must: "identifiers such as '1' or '1.rc', with '.' between, without zeros before a number",
    takes: (value) => typeof value === 'string' && isReleaseText(value),
  },
};

/** The types for which null is an invalid value, not absence. */
const typesWithoutNull: ReadonlySet<string> = new Set(['version', 'release']);

function isWhole(value: unknown, bound: number): boolean {
  return Number.isInteger(value) && -bound <= Number(value) && Number(value) < bound;
}

function isBytes(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => item === null || isWhole(item, 256));
  return typeof value === 'string' && BASE64.test(value.replaceAll(/[\r\n]/g, ''));
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && parseTime(value)?.isZoned === true;
}

function isQuantity(value: unknown): boolean {
  if (typeof value === 'number') return true;
  const text = typeof value === 'string' ? value.trim() : '';
  return text !== '' && QUANTITY.test(text);
}

/** Whether a text is a release, of any length: the API server checks the length. */
function isReleaseText(text: string): boolean {
  return !text.includes('+') && parseVersion(`0.0.0-${text}`) !== undefined;
}
