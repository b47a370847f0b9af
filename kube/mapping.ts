/**
 * What a map says of a key, and nothing that it inherits: in what users write, `constructor` is a
 * key like any other.
 */
export function entryOf<T>(
  map: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** A plain mapping, as YAML and JSON give it. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
