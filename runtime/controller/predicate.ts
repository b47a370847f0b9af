import type { Kind, Live } from '../kinds/kind.ts';

/** What a cache saw. Nothing is told of changes that happened while nobody watched. */
export type Change<K extends Kind = Kind> =
  | { readonly type: 'added' | 'deleted'; readonly object: Live<K>; readonly old?: undefined }
  | { readonly type: 'changed'; readonly object: Live<K>; readonly old: Live<K> };

/** Whether a change is worth a reconcile. */
export type Predicate<K extends Kind = Kind> = (change: Change<K>) => boolean;

/**
 * The spec changed, not only the status or the metadata. What was added or deleted passes, and so
 * does every change of a kind that has no generation.
 */
export const generationChanged: Predicate = ({ object, old }) =>
  old === undefined ||
  object.metadata.generation === undefined ||
  object.metadata.generation !== old.metadata.generation;

/** Something changed: not what a resync or a new list repeats. */
export const resourceVersionChanged: Predicate = ({ object, old }) =>
  old === undefined || object.metadata.resourceVersion !== old.metadata.resourceVersion;

/** A label was added, changed or removed. */
export const labelsChanged: Predicate = ({ object, old }) =>
  old === undefined || !isEqual(object.metadata.labels, old.metadata.labels);

/** An annotation was added, changed or removed. */
export const annotationsChanged: Predicate = ({ object, old }) =>
  old === undefined || !isEqual(object.metadata.annotations, old.metadata.annotations);

export function and<K extends Kind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (change) => predicates.every((passes) => passes(change));
}

export function or<K extends Kind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (change) => predicates.some((passes) => passes(change));
}

/** Of what was added and deleted, too: `not(generationChanged)` passes neither. */
export function not<K extends Kind>(predicate: Predicate<K>): Predicate<K> {
  return (change) => !predicate(change);
}

type Texts = Readonly<Record<string, string>>;

function isEqual(one: Texts = {}, other: Texts = {}): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}
