import { didYouMean, findNearest, formatList, show, type Path } from '@tenantry/kube/problem';
import type { Settings } from '../../crds/settings.ts';
import { entryOf, isMapping } from '@tenantry/kube/mapping';

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
