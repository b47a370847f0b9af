import { isDeepEqual } from '../../kube/equality.ts';
import type { Json } from '../../kube/object.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { isMapping } from '../../kube/mapping.ts';

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

/** Returns the schema of a field; the empty schema if the field is not declared. */
export function fieldOf(schema: JSONSchemaProps, name: string): JSONSchemaProps {
  const field = schema.properties && own(schema.properties, name);
  if (field) return field;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
}

export function own<T>(fields: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
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
export function findItem(list: readonly Json[], place: Readonly<Record<string, Json>>): number {
  const keys = Object.keys(place);
  return list.findIndex((item) => isDeepEqual(keysOf(item, keys), place));
}
