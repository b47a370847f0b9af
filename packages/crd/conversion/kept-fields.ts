import { isDeepEqual } from '@tenantry/kube/json';
import type { Json } from '@tenantry/kube/object';
import { schemaOfField, type JSONSchemaProps } from '../schema/json-schema.ts';
import { isMapping } from '@tenantry/kube/mapping';
import type { Finding } from '@tenantry/kube/finding';
import { compileSchema } from '../schema/validator.ts';

/** A field name, or the keys of an item of a list map. */
export type Step = string | Readonly<Record<string, Json>>;

/** The value of a field before a conversion, and what the way to the other version and back makes of it. */
export interface KeptField {
  readonly path: readonly Step[];
  /** The value before; absent if there was none. */
  readonly had?: Json;
  /** The value after the way back; absent if there is none. */
  readonly became?: Json;
  /** The position of an item of a list map. */
  readonly at?: number;
}

/**
 * Finds the outermost places where two values of a schema differ. Items of list maps are identified
 * by their keys. Other lists are compared as a whole.
 */
export function findLostFields(schema: JSONSchemaProps, had: Json, became: Json): KeptField[] {
  const found: KeptField[] = [];
  compare(schema, had, became, [], found);
  return found;
}

function compare(
  schema: JSONSchemaProps,
  had: Json | undefined,
  became: Json | undefined,
  path: readonly Step[],
  found: KeptField[],
): void {
  if (isDeepEqual(had, became)) return;
  if (isObject(had) && isObject(became)) {
    for (const name of new Set([...Object.keys(had), ...Object.keys(became)])) {
      const field = schemaOfField(schema, name) ?? {};
      compare(field, own(had, name), own(became, name), [...path, name], found);
    }
    return;
  }
  const keys = schema['x-kubernetes-list-map-keys'];
  if (keys && Array.isArray(had) && Array.isArray(became)) {
    const before = found.length;
    const places = [...had, ...became].map((item) => keysOf(item, keys));
    const unique = new Map(places.map((place) => [JSON.stringify(place), place]));
    for (const place of unique.values()) {
      const [mine, others] = [findItem(had, place), findItem(became, place)];
      const at = mine < 0 ? {} : { at: mine };
      const inner: KeptField[] = [];
      const items = schema.items ?? {};
      compare(items, had[mine], became[others], [...path, place], inner);
      found.push(
        ...inner.map((one) => (one.path.length === path.length + 1 ? { ...one, ...at } : one)),
      );
    }
    if (found.length > before) return;
  }
  found.push({
    path,
    ...(had !== undefined && { had }),
    ...(became !== undefined && { became }),
  });
}

function own<T>(fields: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return isMapping(value);
}

function keysOf(item: Json, keys: readonly string[]): Readonly<Record<string, Json>> {
  const entries = keys.map((key): [string, Json] => [
    key,
    isObject(item) ? (own(item, key) ?? null) : null,
  ]);
  return Object.fromEntries(entries);
}

/** Returns the index of the item with these keys; -1 if there is none. */
function findItem(list: readonly Json[], place: Readonly<Record<string, Json>>): number {
  const keys = Object.keys(place);
  return list.findIndex((item) => isDeepEqual(keysOf(item, keys), place));
}

/** A kept field that is not restored. */
export interface UnrestoredField {
  readonly kept: KeptField;
  /** `changed`: the field is not as the conversion left it. Otherwise the errors of the schema. */
  readonly because: 'changed' | readonly Finding[];
}

/** An object with its kept fields restored. */
interface RestoreResult {
  readonly value: Json;
  readonly left: readonly UnrestoredField[];
}

/** The maximum number of fields to leave out one at a time. Each attempt validates the object. */
const MAX_TRIED_FIELDS = 100;
const MAX_ROUNDS = 4;

/**
 * Restores kept fields if they are still as the conversion left them. A field that was changed in
 * the other version was changed on purpose.
 *
 * Leaves out what the schema refuses, because anybody can write annotations. First tries all fields
 * together, because some may only be valid together. Otherwise restores the fields that cause no
 * errors, and then each remaining field that is valid by itself.
 */
export function restoreKeptFields(
  schema: JSONSchemaProps,
  value: Json,
  kept: readonly KeptField[],
): RestoreResult {
  if (kept.length === 0) return { value, left: [] };
  const restoration = new Restoration(schema, value);
  const together = new Set(restoration.selectRestorable(kept));
  let result = restoration.restoreAll([...together]);
  const left: UnrestoredField[] = [];
  for (const one of kept) {
    if (together.has(one)) continue;
    const next = restoreField(schema, result, one.path, one);
    const errors = next === undefined ? 'changed' : restoration.findNewErrors(next);
    if (next !== undefined && errors.length === 0) result = next;
    else left.push({ kept: one, because: errors });
  }
  return { value: result, left };
}

class Restoration {
  readonly #schema: JSONSchemaProps;
  readonly #value: Json;
  /** Errors that the object had before are not attributed to the kept fields. */
  readonly #before: ReadonlySet<string>;

  constructor(schema: JSONSchemaProps, value: Json) {
    this.#schema = schema;
    this.#value = value;
    this.#before = new Set(this.#errors(value).map(identityOf));
  }

  /** Selects what can be restored at once: all fields, or all but those whose absence reduces the errors. */
  selectRestorable(kept: readonly KeptField[]): readonly KeptField[] {
    let some = kept.filter(
      (one) => restoreField(this.#schema, this.#value, one.path, one) !== undefined,
    );
    for (let round = 0; round < MAX_ROUNDS && some.length > 0; round += 1) {
      const wrong = this.findNewErrors(this.restoreAll(some)).length;
      if (wrong === 0) return some;
      if (some.length > MAX_TRIED_FIELDS) return [];
      const all = some;
      some = all.filter((one) => {
        const others = all.filter((other) => other !== one);
        return this.findNewErrors(this.restoreAll(others)).length >= wrong;
      });
      if (some.length === all.length) return [];
    }
    return [];
  }

  restoreAll(kept: readonly KeptField[]): Json {
    return kept.reduce(
      (value, one) => restoreField(this.#schema, value, one.path, one) ?? value,
      this.#value,
    );
  }

  /** Finds the errors of an object that it did not have before. */
  findNewErrors(value: Json): readonly Finding[] {
    return this.#errors(value).filter((error) => !this.#before.has(identityOf(error)));
  }

  #errors(value: Json): readonly Finding[] {
    return compileSchema(this.#schema, { root: true }).check(value).errors;
  }
}

/** Identifies a finding without list indexes, because items may move. */
function identityOf({ path, rule, message }: Finding): string {
  return JSON.stringify([path.filter((part) => typeof part === 'string'), rule, message]);
}

/** Restores one field. Returns undefined if it no longer belongs here. */
function restoreField(
  schema: JSONSchemaProps,
  value: Json | undefined,
  path: readonly Step[],
  kept: KeptField,
): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return isDeepEqual(value, kept.became) ? kept.had : undefined;
  if (typeof step === 'string') {
    if (value !== undefined && !isObject(value)) return undefined;
    const fields = value ?? {};
    const current = own(fields, step);
    if (rest.length === 0) {
      if (!isDeepEqual(current, kept.became)) return undefined;
      const others = Object.entries(fields).filter(([name]) => name !== step);
      return Object.fromEntries(kept.had === undefined ? others : [...others, [step, kept.had]]);
    }
    // A list may be absent because the other version sees none of its items; the items that it does
    // not see are kept.
    const inside = current ?? (typeof rest[0] === 'string' ? undefined : []);
    if (inside === undefined) return undefined;
    const next = restoreField(schemaOfField(schema, step) ?? {}, inside, rest, kept);
    return next === undefined ? undefined : { ...fields, [step]: next };
  }
  if (!Array.isArray(value)) return undefined;
  const place = findItem(value, step);
  const items = schema.items ?? {};
  if (rest.length > 0) {
    const next = place < 0 ? undefined : restoreField(items, value[place], rest, kept);
    return next === undefined ? undefined : value.with(place, next);
  }
  if (!isDeepEqual(value[place], kept.became)) return undefined;
  if (kept.had === undefined) return place < 0 ? undefined : value.toSpliced(place, 1);
  if (place >= 0) return value.with(place, kept.had);
  return value.toSpliced(Math.min(kept.at ?? value.length, value.length), 0, kept.had);
}
