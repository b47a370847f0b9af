/**
 * Returns the value of a key of a map, ignoring inherited ones: in input of users, `constructor` is a key like any
 * other.
 */
export function entryOf<T>(
  map: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Whether a value is a plain mapping, as YAML and JSON give it. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of `T`, where each optional field may also be undefined. */
type OrUndefined<T> = T extends unknown
  ? { [K in keyof T]: T[K] | (Record<never, never> extends Pick<T, K> ? undefined : never) }
  : never;

/**
 * Removes the undefined fields, so that a result has an optional field only with a value. `T` is the type that the
 * caller expects: an unknown or a missing field of it does not compile.
 */
export function omitUndefined<T extends object = never>(fields: NoInfer<OrUndefined<T>>): T {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[part];
  }
  return at;
}

/** Returns the list at a path; an empty one if there is none. */
export function listAt(value: unknown, path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}
