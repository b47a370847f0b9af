/**
 * Plain data as cdk8s gives it: keys in order of code units, nothing that is null or undefined,
 * except that apiVersion, kind and metadata come first in an object. Shares what needs no change.
 */
export function canonicalObject(object: object): object {
  const { apiVersion, kind, metadata, ...rest } = object as Record<string, unknown>;
  const result: Record<string, unknown> = { apiVersion, kind, metadata: canonical(metadata) };
  for (const key of Object.keys(rest).toSorted()) {
    const value = rest[key];
    if (value !== undefined && value !== null) result[key] = canonical(value);
  }
  return result;
}

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => canonical(item) ?? null);
  const source = value as Record<string, unknown>;
  const keys = Object.keys(source);
  if (keys.length > 1) keys.sort();
  const result: Record<string, unknown> = {};
  for (const key of keys) {
    const item = source[key];
    if (item !== undefined && item !== null) result[key] = canonical(item);
  }
  return result;
}
