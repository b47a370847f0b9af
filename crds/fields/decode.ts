import { parseTime } from '../../kube/time.ts';
import { nearest, show, type Path } from '../../kube/problem.ts';
import { isMapping } from '../../kube/mapping.ts';
import type { Findings } from '../../kube/finding.ts';
import type { Fields, Shape } from './fieldtype.ts';

/**
 * Reads JSON into a type of the API, as the API server does with strict field validation. What comes
 * out has only known fields of the right types: null is absence, and so are the empty string and
 * false where the type cannot tell them from it; null in a list or map is the empty value. A finding
 * of the rule `field-type` means that the server reads nothing at all.
 */
export function decode(shape: Shape, value: unknown, path: Path, findings: Findings): unknown {
  return new Decoder(findings).read(shape, value, path, true);
}

type Mapping = Record<string, unknown>;

class Decoder {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  read(shape: Shape, value: unknown, path: Path, strict: boolean): unknown {
    if (value === null || value === undefined) return emptyOf(shape);
    switch (shape.is) {
      case 'struct': {
        if (!isMapping(value)) return this.#wrong(path, 'a mapping', value);
        return this.#struct(shape.fields(), value, path, strict);
      }
      case 'list':
        if (!Array.isArray(value)) return this.#wrong(path, 'a list', value);
        return value.map((item, i) => this.read(shape.of, item, [...path, i], strict));
      case 'map': {
        if (!isMapping(value)) return this.#wrong(path, 'a mapping', value);
        const read = Object.keys(value)
          .filter((key) => value[key] !== undefined)
          .map((key) => [key, this.read(shape.of, value[key], [...path, key], strict)]);
        return Object.fromEntries(read);
      }
      case 'items':
        return this.#items(shape.schema(), value, path);
      case 'schema or boolean':
        if (typeof value === 'boolean') return value;
        if (isMapping(value)) return this.read(shape.schema(), value, path, false);
        return this.#wrong(path, 'a schema, true or false', value);
      case 'schema or names':
        if (isMapping(value)) return this.read(shape.schema(), value, path, false);
        if (!Array.isArray(value)) return [];
        return this.read({ is: 'list', of: { is: 'string' } }, value, path, false);
      case 'json':
        return value;
      default:
        return isScalar[shape.is](value) ? value : this.#wrong(path, nouns[shape.is], value);
    }
  }

  #struct(fields: Fields, value: Mapping, path: Path, strict: boolean): Mapping {
    const read: Mapping = {};
    for (const [key, field] of Object.entries(value)) {
      if (field === undefined) continue;
      const shape = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (!shape) this.#unknown(fields, key, [...path, key], strict);
      else if (field !== null) {
        const content = this.read(shape, field, [...path, key], strict);
        if (content !== undefined && !isZero(shape, content)) read[key] = content;
      }
    }
    return read;
  }

  /** A list of schemas is a fault of its own; anything else that is no schema is no items. */
  #items(schema: Shape, value: unknown, path: Path): unknown {
    if (isMapping(value)) return this.read(schema, value, path, false);
    if (Array.isArray(value) && value.length > 0) {
      this.#findings.error(path, 'items-list', 'must be one schema for all items, got a list');
      for (const [i, item] of value.entries()) this.read(schema, item, [...path, i], false);
    } else {
      this.#findings.warn(path, 'ignored-field', `must be a schema, got ${show(value)}`);
    }
    return undefined;
  }

  #wrong(path: Path, must: string, value: unknown): undefined {
    this.#findings.error(path, 'field-type', `must be ${must}, got ${show(value)}`);
    return undefined;
  }

  #unknown(fields: Fields, key: string, path: Path, strict: boolean): void {
    const known = Object.keys(fields);
    const meant = nearest(key, known);
    const few = known.length === 0 ? '; there is none' : `; known: ${known.join(', ')}`;
    const hint = meant ? `; did you mean ${show(meant)}?` : known.length > 15 ? '' : few;
    const message = `must be a known field, got ${show(key)}${hint}`;
    if (strict) return this.#findings.error(path, 'unknown-field', message);
    this.#findings.warn(path, 'ignored-field', `${message} (the API server drops it in silence)`);
  }
}

function emptyOf(shape: Shape): unknown {
  switch (shape.is) {
    case 'struct':
    case 'map':
      return {};
    case 'list':
    case 'schema or names':
      return [];
    case 'string':
    case 'time':
    case 'bytes':
      return '';
    case 'boolean':
      return false;
    case 'json':
      return null;
    default:
      return undefined;
  }
}

function isZero(shape: Shape, value: unknown): boolean {
  return 'pointer' in shape
    ? false
    : value === ''
      ? shape.is === 'string'
      : value === false && shape.is === 'boolean';
}

/** What a scalar has to be, in words. */
export const nouns = {
  string: 'a string',
  boolean: 'true or false',
  int64: 'a whole number of 64 bits',
  int32: 'a whole number of 32 bits',
  number: 'a number',
  time: "a time such as '2026-01-31T12:00:00Z'",
  bytes: 'base64, with padding',
} as const;

export const isScalar = {
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  int64: (value: unknown) => isWhole(value, 2n ** 63n),
  int32: (value: unknown) => isWhole(value, 2n ** 31n),
  number: (value: unknown) => typeof value === 'number' || typeof value === 'bigint',
  time: isTime,
  bytes: isBytes,
} as const;

/** As JSON writes it: no fraction, no exponent. */
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
