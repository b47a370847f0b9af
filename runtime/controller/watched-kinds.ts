import type { Selection } from '../client/client.ts';
import { resourceOf, type Kind } from '../kinds/kind.ts';
import type { CacheOptions } from './caches.ts';
import type { Controller, Owns, Watch } from './declaration.ts';
import { isMetadataOnly } from './metadata-of.ts';
import { findProjection } from './projection-of.ts';

/** A kind that a controller watches. */
export interface WatchedKind extends CacheOptions {
  readonly kind: Kind;
  readonly isOptional: boolean;
  readonly startsWithoutAfter?: number | undefined;
}

/** Lists the kinds that a controller watches, in declared order with repetitions, its own kind first. */
export function listWatchedKinds({
  for: kind,
  selection,
  owns,
  watches,
}: Pick<Controller, 'for' | 'selection' | 'owns' | 'watches'>): WatchedKind[] {
  const all: [Kind, Selection, Pick<Watch, 'isOptional' | 'startsWithoutAfter'>?][] = [
    [kind, selection],
    ...owns.map((one): [Kind, Selection] => [one.kind, ownedSelection(one, selection)]),
    ...watches.map((watch): [Kind, Selection, Watch] => [watch.kind, watch.selection ?? {}, watch]),
  ];
  return all.map(([kind, selection, { isOptional = false, startsWithoutAfter } = {}]) => ({
    kind,
    selection,
    isOptional,
    startsWithoutAfter,
    isMetadataOnly: isMetadataOnly(kind),
    project: findProjection(kind),
  }));
}

/** Defaults to the namespace of the controller. */
function ownedSelection({ selection = {} }: Owns, own: Selection): Selection {
  const { labelSelector, namespace = own.namespace } = selection;
  return {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
}

/** Lists each watched kind once: `checkController` has verified that repeated declarations agree. */
export function listDistinctKinds(controller: Controller): WatchedKind[] {
  return [
    ...new Map(listWatchedKinds(controller).map((one) => [resourceOf(one.kind), one])).values(),
  ];
}
