import { formatCanonicalJson, isDeepEqual } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';

/** Whether two values are equal, whatever the order of their keys. */
export const isEqual = (a: unknown, b: unknown): boolean => isDeepEqual(a, b);

/** Whether two values are equal, and have their keys in the same order. */
export function isIdentical(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, i) => isIdentical(item, b[i]))
    );
  }
  if (!isMapping(a) || !isMapping(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && isIdentical(a[key], b[key]))
  );
}

/** Returns the distinct values with at least this number of occurrences, the most frequent first. */
export function listFrequent<T>(values: readonly T[], times: number): T[] {
  return [...Map.groupBy(values, (value) => formatCanonicalJson(value))]
    .filter(([, equal]) => equal.length >= times)
    .toSorted(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1))
    .map(([, [first]]) => first!);
}

type Words = Readonly<Record<string, string>>;

/** Returns the entries that all maps have. */
export function pickSharedEntries(maps: readonly Words[]): Words {
  const [first = {}, ...rest] = maps;
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) => rest.every((map) => map[key] === value)),
  );
}

/** Returns the entries of a map that another map lacks, or has with another value. */
export function pickOwnEntries<T>(
  map: Readonly<Record<string, T>>,
  below: Readonly<Record<string, T>> | undefined,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(map).filter(([key, value]) => !isEqual(below?.[key] ?? null, value)),
  );
}

/** Returns the value, or undefined if it is an empty map or list. */
export function nonEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
