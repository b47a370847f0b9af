import { isMapping } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import { keyOf } from '../layers/layer.ts';
import type { Origin } from '../origins.ts';

/** One effective value of a tenant, and where it is declared. */
export interface ExplainedValue {
  /** The setting, as a declaration spells it; items of lists by their keys: `quota`, `hard`, `pods`. */
  readonly path: readonly string[];
  readonly value: unknown;
  readonly origin: Origin;
  /** The place of the value in the resolved tenant that is rendered; absent if only rules read it. */
  readonly slot?: Path;
}

/** A value that contains no other explained value, with its path for people and its place. */
export interface Leaf {
  readonly path: readonly string[];
  readonly slot: Path;
  readonly value: unknown;
}

/**
 * Lists the smallest values in a value. Items of lists that merge by a key are named by the key. All other lists are one
 * value, as they are replaced as a whole, unless `splitsLists`.
 */
export function listLeaves(
  value: unknown,
  { splitsLists = false }: { readonly splitsLists?: boolean } = {},
  path: readonly string[] = [],
  slot: Path = [],
): Leaf[] {
  const inner = (key: string, part: string | number, one: unknown) =>
    listLeaves(one, { splitsLists }, [...path, key], [...slot, part]);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (items.length > 0 && items.every((item) => keyOf(item) !== undefined)) {
      return items.flatMap((item, i) => inner(String(keyOf(item)), i, item));
    }
    if (splitsLists) return items.flatMap((item, i) => inner(String(i), i, item));
    return items.length === 0 ? [] : [{ path, slot, value }];
  }
  if (isMapping(value)) {
    return Object.entries(value).flatMap(([key, one]) =>
      one === undefined ? [] : inner(key, key, one),
    );
  }
  return [{ path, slot, value }];
}
