import { entryOf, isMapping } from '../../../kube/mapping.ts';

/** A value with all of its fields optional at any depth, to merge over another one. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/**
 * Merges an object over another one: mappings merge by key, lists as in `overlayList`, and every other value above
 * replaces the one below.
 */
export function overlay<T extends object>(below: T, above: DeepPartial<T>): T;
export function overlay(
  below: Readonly<Record<string, unknown>>,
  above: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const laid = Object.entries(above).map(([key, value]) => [
    key,
    overlayValue(entryOf(below, key), value),
  ]);
  return laid.length === 0 ? below : { ...below, ...Object.fromEntries(laid) };
}

/**
 * Merges a list over another one: items merge by `name`, or by `type` where that is the key (limits). If an item has
 * neither, the list is replaced.
 */
export function overlayList<T extends object>(
  below: readonly T[],
  above: readonly T[],
): readonly T[];
export function overlayList(
  below: readonly unknown[],
  above: readonly unknown[],
): readonly unknown[] {
  if ([...below, ...above].some((item) => keyOf(item) === undefined)) return above;
  const merged = [...below];
  for (const item of above) {
    const at = merged.findIndex((other) => keyOf(other) === keyOf(item));
    if (at < 0) merged.push(item);
    else merged[at] = overlayValue(merged[at], item);
  }
  return merged;
}

function overlayValue(below: unknown, above: unknown): unknown {
  if (Array.isArray(below) && Array.isArray(above)) return overlayList(below, above);
  return isMapping(below) && isMapping(above) ? overlay(below, above) : above;
}

function keyOf(item: unknown): unknown {
  return isMapping(item) ? (item['name'] ?? item['type']) : undefined;
}
