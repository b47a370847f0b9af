import { didYouMean, findNearest, formatList, show, type Path } from '@tenantry/kube/problem';
import type { Settings } from '../../crds/settings.ts';
import { entryOf, isMapping } from '@tenantry/kube/mapping';
import type { PlacementListener } from '../origins.ts';

/** Settings, with their origin and place. */
export interface Layer {
  readonly settings: Settings;
  readonly byTenant: boolean;
  /** Returns the place of a setting in what is validated; see `ClassPathResolver`. */
  at(...setting: Path): Path;
}

/**
 * Returns the place of findings about a setting of a class. In a Tenant it is the name of the class; in the class it is
 * the place below its spec.
 * @param isBase whether the parent of the class contains the setting
 */
export type ClassPathResolver = (isBase: boolean, ...place: Path) => Path;

/** Receives a preset name that the class does not have. */
export type UnknownPresetReporter = (path: Path, name: string, known: readonly string[]) => void;

/** Formats the message about an unknown preset. */
export function formatUnknownPreset(
  klass: string,
  preset: string,
  known: readonly string[],
): string {
  const hint = known.length > 0 ? `one of ${formatList(known)}` : 'left out: it has none';
  const meant = didYouMean(findNearest(preset, known));
  return `must be a preset of class ${klass} (${hint}), got ${show(preset)}${meant}`;
}

/** A value with all of its fields optional at any depth, to merge over another one. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/**
 * Merges an object over another one: mappings merge by key, lists as in `overlayList`, and every other value above
 * replaces the one below.
 * @param onPlaced receives each value that replaces or adds something
 */
export function overlay<T extends object>(
  below: T,
  above: DeepPartial<T>,
  onPlaced?: PlacementListener,
): T;
export function overlay(
  below: Readonly<Record<string, unknown>>,
  above: Readonly<Record<string, unknown>>,
  onPlaced?: PlacementListener,
): Readonly<Record<string, unknown>> {
  const laid = Object.entries(above).map(([key, value]) => [
    key,
    overlayValue(entryOf(below, key), value, prefixPlaced(onPlaced, key, key)),
  ]);
  return laid.length === 0 ? below : { ...below, ...Object.fromEntries(laid) };
}

/**
 * Merges a list over another one: items merge by `name`, or by `type` where that is the key (limits). If an item has
 * neither, the list is replaced.
 * @param onPlaced receives each value that replaces or adds something; in its targets, items are named by their keys
 */
export function overlayList<T extends object>(
  below: readonly T[],
  above: readonly T[],
  onPlaced?: PlacementListener,
): readonly T[];
export function overlayList(
  below: readonly unknown[],
  above: readonly unknown[],
  onPlaced?: PlacementListener,
): readonly unknown[] {
  if ([...below, ...above].some((item) => keyOf(item) === undefined)) {
    placeWhole(above, onPlaced);
    return above;
  }
  const merged = [...below];
  for (const [i, item] of above.entries()) {
    const at = merged.findIndex((other) => keyOf(other) === keyOf(item));
    const onItem = prefixPlaced(onPlaced, String(keyOf(item)), i);
    if (at < 0) {
      merged.push(item);
      placeWhole(item, onItem);
    } else merged[at] = overlayValue(merged[at], item, onItem);
  }
  return merged;
}

function overlayValue(
  below: unknown,
  above: unknown,
  onPlaced: PlacementListener | undefined,
): unknown {
  if (Array.isArray(below) && Array.isArray(above)) return overlayList(below, above, onPlaced);
  if (isMapping(below) && isMapping(above)) return overlay(below, above, onPlaced);
  placeWhole(above, onPlaced);
  return above;
}

/** Places a value that nothing is below, so that the items of lists in it are named by their keys, too. */
function placeWhole(value: unknown, onPlaced: PlacementListener | undefined): void {
  if (!onPlaced) return;
  onPlaced([], []);
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const key = keyOf(item);
      if (key !== undefined) placeWhole(item, prefixPlaced(onPlaced, String(key), i));
    }
  } else if (isMapping(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object') placeWhole(inner, prefixPlaced(onPlaced, key, key));
    }
  }
}

function prefixPlaced(
  onPlaced: PlacementListener | undefined,
  target: string,
  source: string | number,
): PlacementListener | undefined {
  return onPlaced && ((to, from) => onPlaced([target, ...to], [source, ...from]));
}

/** Returns the key of an item in a list that merges by key; undefined if it has none. */
export function keyOf(item: unknown): unknown {
  return isMapping(item) ? (item['name'] ?? item['type']) : undefined;
}
