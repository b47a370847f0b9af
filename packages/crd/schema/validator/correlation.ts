/** The API server's correlation of old and new values. */
import type { JSONSchemaProps } from '../json-schema.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { computeEqualityKey, isEqual, findDuplicates } from './equality.ts';
import type { SchemaNode } from './types.ts';

/**
 * Finds the old item that corresponds to each item of a list: the first with the same keys, in a list with keys. Items
 * that lack a key, and items of other lists, have no old item.
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
 * Whether the API server treats a value as unchanged: it compares lists with keys item by item, in any order, and other
 * lists as they are. An object with an undeclared field never counts as unchanged.
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

/** Whether a set or map list in the value contains a duplicate. */
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
