import { entryOf } from '@tenantry/kube/mapping';
import type { Json } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../json-schema.ts';
import { listBranches } from './branches.ts';
import type { Hints } from './hints.ts';
import { attempt, NoSample, isObject, type JsonObject, type ValueFor } from './value-for.ts';
import { scalarsFor } from './values.ts';

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
