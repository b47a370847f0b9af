import { isMapping } from './mapping.ts';

/**
 * Whether two JSON values are equal, whatever the order of their keys.
 * @param alike compares two values that are neither identical nor both lists or both objects
 */
export function isDeepEqual(
  a: unknown,
  b: unknown,
  alike: (a: unknown, b: unknown) => boolean = () => false,
): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, i) => isDeepEqual(item, b[i], alike))
    );
  }
  if (!isMapping(a) || !isMapping(b)) return alike(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isDeepEqual(a[key], b[key], alike))
  );
}

/** Formats a JSON value with sorted keys, so that equal values have equal texts. `nothing` is the text of undefined. */
export function formatCanonicalJson(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, (_, part) => sorted(part));
}

function sorted(part: unknown): unknown {
  if (!isMapping(part)) return part;
  const entries = Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}
