import type { Kind, Live } from '../kinds/kind.ts';

/** A change that a cache observed. Changes during an interruption of the watch may be missing. */
export type Change<K extends Kind = Kind> =
  | { readonly type: 'added' | 'deleted'; readonly object: Live<K>; readonly old?: undefined }
  | { readonly type: 'changed'; readonly object: Live<K>; readonly old: Live<K> };

/** Whether a change causes a reconcile. */
export type Predicate<K extends Kind = Kind> = (change: Change<K>) => boolean;

/**
 * Passes changes of the spec, but not of only the status or metadata. Also passes additions and deletions, and all
 * changes of a kind without generations.
 */
export const generationChanged: Predicate = ({ object, old }) =>
  old === undefined ||
  object.metadata.generation === undefined ||
  object.metadata.generation !== old.metadata.generation;

/** Passes real changes, but not repetitions by a resync or a new list. */
export const resourceVersionChanged: Predicate = ({ object, old }) =>
  old === undefined || object.metadata.resourceVersion !== old.metadata.resourceVersion;

/** Passes if a label was added, changed or removed. */
export const labelsChanged: Predicate = ({ object, old }) =>
  old === undefined || !isEqual(object.metadata.labels, old.metadata.labels);

/** Passes if an annotation was added, changed or removed. */
export const annotationsChanged: Predicate = ({ object, old }) =>
  old === undefined || !isEqual(object.metadata.annotations, old.metadata.annotations);

export function and<K extends Kind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (change) => predicates.every((passes) => passes(change));
}

export function or<K extends Kind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (change) => predicates.some((passes) => passes(change));
}

/** Inverts a predicate, for additions and deletions too: `not(generationChanged)` passes neither. */
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
