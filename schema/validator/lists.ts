import { entryOf, isMapping } from '../../kube/mapping.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { computeEqualityKey } from './equality.ts';

/** A duplicate in a list. */
export interface DuplicateItem {
  readonly index: number;
  readonly first: number;
  /** The duplicate value: the item, or its first key; undefined if it has none. */
  readonly value: unknown;
}

/** Whether a list is as unique as its schema requires; undefined if the schema has no such requirement. */
export function isUniqueList(
  schema: JSONSchemaProps,
): ((list: readonly unknown[]) => boolean) | undefined {
  const identity = identityIn(schema);
  return identity && ((list) => new Set(list.map(identity)).size === list.length);
}

/** Finds every item that duplicates an earlier one. */
export function findDuplicates(schema: JSONSchemaProps, list: readonly unknown[]): DuplicateItem[] {
  const identity = identityIn(schema);
  if (!identity) return [];
  const [key] = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Map<string, number>();
  return list.flatMap((item, index) => {
    const id = identity(item);
    const first = seen.get(id);
    if (first !== undefined) return [{ index, first, value: shown(item, key) }];
    seen.set(id, index);
    return [];
  });
}

/** Returns what messages show of an item: its first key in a list with keys, otherwise the item. */
function shown(item: unknown, key: string | undefined): unknown {
  if (key === undefined) return item;
  return keyOf(item, key);
}

/** Returns a function that computes the identity of an item; undefined if duplicates are allowed. */
function identityIn(schema: JSONSchemaProps): ((item: unknown) => string) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  const [only = ''] = keys ?? [];
  if (keys?.length === 1) return (item) => computeEqualityKey(keyOf(item, only));
  if (keys) return (item) => computeEqualityKey(keys.map((key) => keyOf(item, key)));
  const isSet = schema['x-kubernetes-list-type'] === 'set';
  return isSet || schema.uniqueItems ? computeEqualityKey : undefined;
}

/** Returns the key of an item; undefined if it has none. */
function keyOf(item: unknown, key: string): unknown {
  return isMapping(item) ? entryOf(item, key) : undefined;
}
