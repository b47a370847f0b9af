import { entryOf } from '@tenantry/kube/mapping';
import type { Json } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../json-schema.ts';
import { listBranches } from './branches.ts';
import { attempt, NoSample, isObject, type JsonObject, type ValueFor } from './value-for.ts';
import { scalarsFor } from './values.ts';
import { generateMatchingTexts } from './pattern.ts';

/** The maximum number of values that are tried for one field. */
const MAX_VALUES = 12;

/** Changes of a value at one place, for each place that the conditions of its schema name. */
export class Changes {
  readonly #hints: Hints;
  readonly #valueFor: ValueFor;

  constructor(hints: Hints, valueFor: ValueFor) {
    this.#hints = hints;
    this.#valueFor = valueFor;
  }

  /** Yields the whole value with one change, for each change. */
  *of(schema: JSONSchemaProps, value: Json, path: Path): Generator<Json> {
    for (const part of listBranches(schema)) {
      if (isObject(value)) {
        yield* this.#ofFields(part, value, path);
        yield* this.#ofEntries(part, value, path);
      } else if (Array.isArray(value)) yield* this.#ofList(part, value, path);
      else yield* this.#scalars(part);
    }
  }

  *#ofFields(schema: JSONSchemaProps, object: JsonObject, path: Path): Generator<Json> {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!this.#hints.mentions(name)) continue;
      const current = entryOf(object, name);
      if (current === undefined) yield* this.#added(object, name, field, path);
      else {
        yield* this.#changed(object, name, current, field, path);
        if (!schema.required?.includes(name)) yield without(object, name);
      }
    }
  }

  /** Yields changes of a map: its entries, and entries that it can have in addition. */
  *#ofEntries(schema: JSONSchemaProps, object: JsonObject, path: Path): Generator<Json> {
    const { properties = {}, additionalProperties: entry } = schema;
    if (typeof entry !== 'object') return;
    for (const [key, current] of Object.entries(object)) {
      if (Object.hasOwn(properties, key)) continue;
      yield* this.#changed(object, key, current, entry, path);
      yield without(object, key);
    }
    for (const key of ['key', ...this.#hints.texts]) {
      if (Object.hasOwn(object, key) || Object.hasOwn(properties, key)) continue;
      yield* this.#added(object, key, entry, path);
    }
  }

  *#ofList(schema: JSONSchemaProps, list: Json[], path: Path): Generator<Json> {
    const { items = {} } = schema;
    for (const [i, item] of list.entries()) {
      for (const inner of this.of(items, item, [...path, i])) yield list.with(i, inner);
      yield list.toSpliced(i, 1);
    }
    for (const item of this.#fresh(items, [...path, list.length])) yield [...list, item];
  }

  *#changed(
    object: JsonObject,
    name: string,
    current: Json,
    schema: JSONSchemaProps,
    path: Path,
  ): Generator<Json> {
    for (const inner of this.of(schema, current, [...path, name])) {
      yield { ...object, [name]: inner };
    }
  }

  *#added(object: JsonObject, name: string, schema: JSONSchemaProps, path: Path): Generator<Json> {
    for (const inner of this.#fresh(schema, [...path, name])) yield { ...object, [name]: inner };
  }

  /** Yields values for a place without a value. */
  *#fresh(schema: JSONSchemaProps, path: Path): Generator<Json> {
    const made = attempt(() => this.#valueFor(schema, path, false));
    if (made instanceof NoSample) return;
    yield made;
    if (!isObject(made) && !Array.isArray(made)) yield* this.#scalars(schema);
  }

  *#scalars(schema: JSONSchemaProps): Generator<Json> {
    yield* this.#hints.literalsFor(schema);
    yield* scalarsFor(schema).take(MAX_VALUES);
  }
}

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...others } = object;
  return others;
}

const strings = /r?"((?:[^"\\]|\\.)*)"|r?'((?:[^'\\]|\\.)*)'/g;
const numbers = /(?<![\w.])-?\d+(?:\.\d+)?/g;
const names = /[A-Za-z_][A-Za-z0-9_]*/g;

/** Names that CEL can only express with escapes. Source: KEP-2876, escaping of field names. */
const escapes: readonly (readonly [string, string])[] = [
  ['__dash__', '-'],
  ['__dot__', '.'],
  ['__slash__', '/'],
  ['__underscores__', '__'],
];

/** Texts that CEL functions accept. */
const understood: Readonly<Record<string, readonly string[]>> = {
  cidr: ['192.0.2.0/24', '2001:db8::/64'],
  duration: ['30s', '1m'],
  ip: ['192.0.2.1', '2001:db8::1'],
  isCIDR: ['192.0.2.0/24', '2001:db8::/64'],
  isIP: ['192.0.2.1', '2001:db8::1'],
  isQuantity: ['1', '1Gi'],
  isSemver: ['1.2.3'],
  isURL: ['https://example.com/'],
  quantity: ['1', '1Gi'],
  semver: ['1.2.3'],
  timestamp: ['2026-01-01T00:00:00Z'],
  url: ['https://example.com/'],
};

/**
 * The hints in the conditions of a schema (its rules, anyOf, oneOf, not and allOf): the fields that they depend on, and
 * values that most likely satisfy them.
 */
export class Hints {
  /** Texts that rules compare with, and texts that match their patterns. */
  readonly texts: readonly string[];
  /** Numbers at and next to those that rules compare with. */
  readonly numbers: readonly number[];
  readonly #names = new Set<string>();

  constructor(schema: JSONSchemaProps) {
    const texts = new Set<string>();
    const found = new Set<number>();
    for (const { rule } of schema['x-kubernetes-validations'] ?? []) {
      for (const [, double, single] of rule.matchAll(strings)) {
        const raw = double ?? single ?? '';
        const text = raw.replaceAll(/\\(.)/g, '$1');
        this.#names.add(text);
        texts.add(text);
        // A text by which a rule splits.
        if (/^\W{1,3}$/.test(text)) texts.add(`1${text}1`).add(`a${text}b`);
        // A pattern in a literal or in a raw literal.
        for (const pattern of new Set([text, raw])) {
          for (const like of generateMatchingTexts(pattern).take(3)) texts.add(like);
        }
      }
      const code = rule.replaceAll(strings, ' ');
      for (const [number] of code.matchAll(numbers)) {
        [0, 1, -1].forEach((by) => found.add(Number(number) + by));
      }
      for (const [name] of code.matchAll(names)) {
        this.#names.add(unescaped(name));
        if (Object.hasOwn(understood, name)) understood[name]!.forEach((text) => texts.add(text));
      }
    }
    const { allOf = [], anyOf = [], oneOf = [], not } = schema;
    for (const part of [...allOf, ...anyOf, ...oneOf, ...(not ? [not] : [])]) this.#readPart(part);
    this.texts = [...texts].slice(0, 40);
    this.numbers = [...found].slice(0, 20);
  }

  /** Whether a field of this name may be relevant. */
  mentions(name: string): boolean {
    return this.#names.size === 0 || this.#names.has(name);
  }

  /** Returns the literals of the type of a scalar. */
  literalsFor(schema: JSONSchemaProps): readonly Json[] {
    if (schema.type === 'string') return this.texts;
    if (schema.type === 'integer' || schema.type === 'number') return this.numbers;
    return schema['x-kubernetes-int-or-string'] ? [...this.numbers, ...this.texts] : [];
  }

  #readPart(part: JSONSchemaProps): void {
    for (const name of part.required ?? []) this.#names.add(name);
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      this.#names.add(name);
      this.#readPart(field);
    }
    const { allOf = [], anyOf = [], oneOf = [], not, items } = part;
    const inner = [...allOf, ...anyOf, ...oneOf, ...(not ? [not] : []), ...(items ? [items] : [])];
    for (const one of inner) this.#readPart(one);
  }
}

function unescaped(name: string): string {
  const keyword = /^__([a-z]+)__$/.exec(name)?.[1];
  const plain = escapes.reduce((text, [from, to]) => text.replaceAll(from, to), name);
  return keyword !== undefined && plain === name ? keyword : plain;
}
