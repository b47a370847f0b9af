/** Returns a value as text that does not depend on the order of its keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

export interface Counted<T> {
  readonly value: T;
  readonly times: number;
}

/** Returns the distinct values, the most frequent first, and ties in the order of their text. */
export function counted<T>(values: readonly T[]): Counted<T>[] {
  const byText = Map.groupBy(values, canonical);
  return [...byText]
    .toSorted(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1))
    .map(([, list]) => ({ value: list[0]!, times: list.length }));
}

/** Returns the values with at least this number of occurrences, the most frequent first. */
export function frequent<T>(values: readonly T[], times: number): T[] {
  return counted(values).flatMap((one) => (one.times >= times ? [one.value] : []));
}

/** Returns the entries that all maps have. */
export function sharedEntries(
  maps: readonly Readonly<Record<string, string>>[],
): Record<string, string> {
  const [first = {}, ...rest] = maps;
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) => rest.every((map) => map[key] === value)),
  );
}

/** Returns the entries of a map that another map lacks or has with another value. */
export function entriesBeyond(
  map: Readonly<Record<string, string>>,
  below: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(map).filter(([key, value]) => below[key] !== value));
}

/** Returns a field, or nothing if it is empty. */
export function unlessEmpty<K extends string, T extends object>(
  key: K,
  value: T,
): { [P in K]?: T } {
  return Object.keys(value).length > 0 ? ({ [key]: value } as { [P in K]: T }) : {};
}
