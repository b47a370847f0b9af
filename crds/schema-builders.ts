/**
 * Builders for the schemas of our own kinds. All their lists and maps are bounded, as the costs of CEL
 * rules are estimated from the bounds, and an unbounded list under a rule is refused.
 */
import type { Json } from '@tenantry/kube/object';
import type { ListOptions, MapOptions, Schema } from '@tenantry/crd/schema/language';
import * as language from '@tenantry/crd/schema/language';

const ITEMS = { maxItems: 100 };
const ENTRIES = { maxProperties: 64 };

/** `list`, of at most 100 items. */
export function list<T>(
  description: string,
  items: Schema<T>,
  options: ListOptions<T> = {},
): Schema<readonly T[]> {
  return language.list(description, items, { ...ITEMS, ...options });
}

/** `listMap`, of at most 100 items. */
export function listMap<T>(
  description: string,
  key: keyof T & string,
  items: Schema<T>,
  options: ListOptions<T> = {},
): Schema<readonly T[]> {
  return language.listMap(description, key, items, { ...ITEMS, ...options });
}

/** `set`, of at most 100 items. */
export function set<T extends Json>(
  description: string,
  items: Schema<T>,
  options: ListOptions<T> = {},
): Schema<readonly T[]> {
  return language.set(description, items, { ...ITEMS, ...options });
}

/** `map`, of at most 64 entries. */
export function map<T>(
  description: string,
  values: Schema<T>,
  options: MapOptions<T> = {},
): Schema<Readonly<Record<string, T>>> {
  return language.map(description, values, { ...ENTRIES, ...options });
}

/** A switch that can be unset again by a later layer. */
export const allowOrDeny = (description: string, absent: string): Schema<'Allow' | 'Deny'> =>
  language.enumOf(description, ['Allow', 'Deny'], { absent });

/** The name of an environment, which a label holds as it is spelled. */
export const environmentName = (description: string, example?: string): Schema<string> =>
  language.string(description, {
    pattern: '^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$',
    maxLength: 63,
    must: "a name of letters, digits, '-', '_' and '.', at most 63 characters; upper and lower case are different",
    ...(example !== undefined && { example }),
  });
