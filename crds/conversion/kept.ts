import { same } from '../../kube/equality.ts';
import type { Json } from '../../kube/object.ts';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';
import { isMapping } from '../../kube/mapping.ts';
import { compileSchema } from '../../schema/validator.ts';

/** A field name, or the keys of an item of a list map. */
export type Step = string | Readonly<Record<string, Json>>;

/** What an object had at a place, and what the way to the other version and back makes of it. */
export interface Kept {
  readonly path: readonly Step[];
  /** Absent: the object had nothing there. */
  readonly had?: Json;
  /** Absent: the way back gives nothing there. */
  readonly became?: Json;
  /** The position of an item of a list map. */
  readonly at?: number;
}

/**
 * The outermost places where two values of a schema differ. Items of list maps are told apart by
 * their keys, other lists are compared as a whole.
 */
export function differences(schema: JSONSchemaProps, had: Json, became: Json): Kept[] {
  const found: Kept[] = [];
  compare(schema, had, became, [], found);
  return found;
}

function compare(
  schema: JSONSchemaProps,
  had: Json | undefined,
  became: Json | undefined,
  path: readonly Step[],
  found: Kept[],
): void {
  if (same(had, became)) return;
  if (isObject(had) && isObject(became)) {
    for (const name of new Set([...Object.keys(had), ...Object.keys(became)])) {
      compare(fieldOf(schema, name), own(had, name), own(became, name), [...path, name], found);
    }
    return;
  }
  const keys = schema['x-kubernetes-list-map-keys'];
  if (keys && Array.isArray(had) && Array.isArray(became)) {
    const before = found.length;
    const places = [...had, ...became].map((item) => keysOf(item, keys));
    const unique = new Map(places.map((place) => [JSON.stringify(place), place]));
    for (const place of unique.values()) {
      const [mine, others] = [find(had, place), find(became, place)];
      const at = mine < 0 ? {} : { at: mine };
      const inner: Kept[] = [];
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

/**
 * The object with what was kept put back, each where the field is still as the conversion left it:
 * whoever changed it in the other version meant to. What the schema does not take is left out, for
 * annotations can be written by anybody.
 */
export function restored(schema: JSONSchemaProps, value: Json, kept: readonly Kept[]): Json {
  if (kept.length === 0) return value;
  const validator = compileSchema(schema, { root: true });
  const wrong = (object: Json): number => validator.check(object).errors.length;
  const before = wrong(value);
  let result = value;
  for (const one of kept) {
    const next = put(schema, result, one.path, one);
    if (next !== undefined && wrong(next) <= before) result = next;
  }
  return result;
}

/** Undefined: it does not belong here any more. */
function put(
  schema: JSONSchemaProps,
  value: Json | undefined,
  path: readonly Step[],
  kept: Kept,
): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return same(value, kept.became) ? kept.had : undefined;
  if (typeof step === 'string') {
    if (value !== undefined && !isObject(value)) return undefined;
    const fields = value ?? {};
    const current = own(fields, step);
    if (rest.length === 0) {
      if (!same(current, kept.became)) return undefined;
      const others = Object.entries(fields).filter(([name]) => name !== step);
      return Object.fromEntries(kept.had === undefined ? others : [...others, [step, kept.had]]);
    }
    // Without the items that the other version sees, a list may be gone; those it does not stay.
    const inside = current ?? (typeof rest[0] === 'string' ? undefined : []);
    if (inside === undefined) return undefined;
    const next = put(fieldOf(schema, step), inside, rest, kept);
    return next === undefined ? undefined : { ...fields, [step]: next };
  }
  if (!Array.isArray(value)) return undefined;
  const place = find(value, step);
  const items = schema.items ?? {};
  if (rest.length > 0) {
    const next = place < 0 ? undefined : put(items, value[place], rest, kept);
    return next === undefined ? undefined : value.with(place, next);
  }
  if (!same(value[place], kept.became)) return undefined;
  if (kept.had === undefined) return place < 0 ? undefined : value.toSpliced(place, 1);
  if (place >= 0) return value.with(place, kept.had);
  return value.toSpliced(Math.min(kept.at ?? value.length, value.length), 0, kept.had);
}

function fieldOf(schema: JSONSchemaProps, name: string): JSONSchemaProps {
  const field = schema.properties && own(schema.properties, name);
  if (field) return field;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
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

function find(list: readonly Json[], place: Readonly<Record<string, Json>>): number {
  const keys = Object.keys(place);
  return list.findIndex((item) => same(keysOf(item, keys), place));
}
