import type { JSONSchemaProps } from '../jsonschema.ts';
import { identityOf, isEqual } from './equality.ts';
import { isMapping } from '../../kube/mapping.ts';

/** Two items of a list that must not be the same. */
export interface Repetition {
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
  if (!identity) return schema.uniqueItems ? areDifferent : undefined;
  return (list) => {
    if (list.length < 2) return true;
    const seen = new Set<string>();
    for (const item of list) seen.add(identity(item));
    return seen.size === list.length && (!schema.uniqueItems || areDifferent(list));
  };
}

/** Every item that an earlier one makes superfluous. */
export function repetitions(schema: JSONSchemaProps, list: readonly unknown[]): Repetition[] {
  const identity = identityIn(schema) ?? (schema.uniqueItems ? identityOf : undefined);
  if (!identity) return [];
  const [key] = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Map<string, number>();
  return list.flatMap((item, index) => {
    const id = identity(item);
    const first = seen.get(id);
    if (first === undefined) seen.set(id, index);
    const keyed = isMapping(item) && key !== undefined ? item[key] : undefined;
    const value = key === undefined ? item : keyed;
    return first === undefined ? [] : [{ index, first, value }];
  });
}

function areDifferent(list: readonly unknown[]): boolean {
  return list.every((item, i) => !list.slice(0, i).some((one) => isEqual(one, item)));
}

function identityIn(schema: JSONSchemaProps): ((item: unknown) => string) | undefined {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return identityOf;
  const keys = schema['x-kubernetes-list-map-keys'];
  if (type !== 'map' || !keys) return undefined;
  const [only] = keys;
  if (only !== undefined && keys.length === 1) {
    return (item) => (isMapping(item) && Object.hasOwn(item, only) ? identityOf(item[only]) : '');
  }
  return (item) => {
    if (!isMapping(item)) return '{}';
    const there = keys.filter((key) => Object.hasOwn(item, key));
    return identityOf(Object.fromEntries(there.map((key) => [key, item[key]])));
  };
}
