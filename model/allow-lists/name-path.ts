import { isMapping } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';

/**
 * Where an object has names: keys from the outside in, with `[]` for every item of a list. A policy of the cluster and a
 * rule of Git read the same paths, so they cannot disagree.
 */
export type NamePath = readonly string[];

const ITEMS = '[]';

/** A name in an object, and its place. */
export interface FoundName {
  readonly path: Path;
  readonly name: string;
}

/**
 * Finds the names at a path. In the items of a list an empty name counts as absent, because Kubernetes writes absent
 * fields of items so. Elsewhere it is a name: a claim with an empty StorageClass wants a volume without a class.
 */
export function findNames(value: unknown, path: NamePath): readonly FoundName[] {
  return [...walk(value, path, [])].filter(({ name }) => name !== '' || !path.includes(ITEMS));
}

function* walk(value: unknown, [key, ...rest]: NamePath, at: Path): Generator<FoundName> {
  if (key === undefined) {
    if (typeof value === 'string') yield { path: at, name: value };
  } else if (key === ITEMS) {
    if (!Array.isArray(value)) return;
    for (const [i, item] of value.entries()) yield* walk(item, rest, [...at, i]);
  } else if (isMapping(value) && Object.hasOwn(value, key)) {
    yield* walk(value[key], rest, [...at, key]);
  }
}

/**
 * Returns CEL for the list of names at a path.
 * @param value CEL for a mapping whose type is dynamic
 */
export function celNames(value: string, path: NamePath): string {
  const end = path.indexOf(ITEMS);
  if (end < 0) return `${celField(value, path)}.optMap(n, [n]).orValue([])`;
  const list = `${celField(value, path.slice(0, end))}.orValue([])`;
  const rest = path.slice(end + 1);
  if (!rest.includes(ITEMS)) {
    return `${list}.map(i, ${celField('i', rest)}.orValue('')).filter(n, n != '')`;
  }
  // CEL of Kubernetes cannot flatten a list of lists. No name contains a line break.
  return `${list}.map(o, ${celNames('o', rest)}.join('\\n')).join('\\n').split('\\n').filter(n, n != '')`;
}

/** Returns CEL for a field that may be absent, as an optional value. */
function celField(value: string, keys: readonly string[]): string {
  return keys.reduce(
    (found, key) => found + (/^[A-Za-z]\w*$/.test(key) ? `.?${key}` : `[?'${key}']`),
    value,
  );
}
