/** What the API server takes for the value before, and for unchanged. */
import type { JSONSchemaProps } from '../json-schema.ts';
import { isMapping } from '../../kube/mapping.ts';
import { computeEqualityKey, isEqual } from './equality.ts';
import { findDuplicates } from './lists.ts';
import type { SchemaNode } from './types.ts';

/**
 * Finds the item of the list before that an item of the list now belongs to: the first of the same
 * keys, in a list that has them; items without one of the keys, and those of other lists, belong to
 * none.
 */
export function oldItems(
  schema: JSONSchemaProps,
  old: unknown,
): ((item: unknown) => unknown) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys || !Array.isArray(old)) return undefined;
  const identity = (item: unknown): string | undefined => {
    if (!isMapping(item) || !keys.every((key) => isScalar(item[key]))) return undefined;
    return computeEqualityKey(keys.map((key) => item[key]));
  };
  const byKeys = new Map<string | undefined, unknown>();
  for (const item of old.toReversed()) byKeys.set(identity(item), item);
  byKeys.delete(undefined);
  return (item) => byKeys.get(identity(item));
}

function isScalar(value: unknown): boolean {
  return value !== undefined && typeof value !== 'object';
}

/**
 * Whether the API server takes a value for the one before: lists with keys item by item, in whatever
 * order, others as they are. An object with a field that no schema is declared for never is.
 *
 * Source: CachedDeepEqual in k8s.io/apiserver, pkg/cel/common/equality.go
 */
export function isUnchanged(schema: JSONSchemaProps, old: unknown, value: unknown): boolean {
  if (Array.isArray(value)) return isUnchangedList(schema, old, value);
  if (!isMapping(value)) return isEqual(old, value);
  if (!isMapping(old)) return false;
  const { properties = {}, additionalProperties } = schema;
  const keys = Object.keys(value);
  if (keys.length !== Object.keys(old).length) return false;
  return keys.every((key) => {
    const field = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (typeof field !== 'object' || !Object.hasOwn(old, key)) return false;
    return isUnchanged(field, old[key], value[key]);
  });
}

function isUnchangedList(schema: JSONSchemaProps, old: unknown, list: readonly unknown[]): boolean {
  if (!Array.isArray(old) || old.length !== list.length) return false;
  const { items = {} } = schema;
  const olds = oldItems(schema, old);
  if (!olds) return isEqual(old, list);
  return list.every((item) => isUnchanged(items, olds(item), item));
}

/** Whether some list in the value, by its type a set or a map, holds an item twice. */
export function containsDuplicates(node: SchemaNode, value: unknown): boolean {
  const { schema, items, fields, extra } = node;
  if (Array.isArray(value)) {
    if (schema['x-kubernetes-list-type'] && findDuplicates(schema, value).length > 0) return true;
    return items !== undefined && value.some((item) => containsDuplicates(items, item));
  }
  if (!isMapping(value)) return false;
  return Object.entries(value).some(([key, field]) => {
    const within = fields.get(key) ?? extra;
    return typeof within === 'object' && containsDuplicates(within, field);
  });
}
