import { isMapping } from './value/kinds.ts';

/**
 * Whether two values of JSON are the same, whatever the order of their keys. Values of an object
 * that the API server compares by their types, where `1` is not `1.0`, are for value/equality.ts.
 */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  }
  if (!isMapping(a) || !isMapping(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}

/** The one text of a value of JSON: keys in order; `nothing` is no JSON, and none of its texts. */
export function canonical(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, (_, part) => sorted(part));
}

function sorted(part: unknown): unknown {
  if (!isMapping(part)) return part;
  const entries = Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}
