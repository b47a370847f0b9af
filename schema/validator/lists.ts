import { entryOf, isMapping } from '../../kube/mapping.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { computeEqualityKey } from './equality.ts';

/** Two items of a list that must not be the same. */
export interface DuplicateItem {
  readonly index: number;
  readonly first: number;
  /** The value that is there twice: the item, or its first key; undefined where it has none. */
  readonly value: unknown;
}

/** Whether a list is as unique as its schema says; undefined where it says nothing. */
export function isUniqueList(
  schema: JSONSchemaProps,
): ((list: readonly unknown[]) => boolean) | undefined {
  const identity = identityIn(schema);
  return identity && ((list) => new Set(list.map(identity)).size === list.length);
}

/** Every item that an earlier one makes superfluous. */
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

/** What is shown of an item, in a list by keys the first of them. */
function shown(item: unknown, key: string | undefined): unknown {
  if (key === undefined) return item;
  return keyOf(item, key);
}

/** A text that is the same for items of which there may be one; undefined where there may be many. */
function identityIn(schema: JSONSchemaProps): ((item: unknown) => string) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  const [only = ''] = keys ?? [];
  if (keys?.length === 1) return (item) => computeEqualityKey(keyOf(item, only));
  if (keys) return (item) => computeEqualityKey(keys.map((key) => keyOf(item, key)));
  const isSet = schema['x-kubernetes-list-type'] === 'set';
  return isSet || schema.uniqueItems ? computeEqualityKey : undefined;
}

/** Undefined where there is none. */
function keyOf(item: unknown, key: string): unknown {
  return isMapping(item) ? entryOf(item, key) : undefined;
}
