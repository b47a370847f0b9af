import { isMapping } from './mapping.ts';

/**
 * Whether two values of JSON are the same, whatever the order of their keys.
 * @param alike what is asked of two that are neither identical nor both lists or both objects;
 * how the API server compares numbers is in value/equality.ts
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

/** The one text of a value of JSON: keys in order; `nothing` is no JSON, and none of its texts. */
export function formatCanonicalJson(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, (_, part) => sorted(part));
}

function sorted(part: unknown): unknown {
  if (!isMapping(part)) return part;
  const entries = Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}
