import type { Selection } from '../client/client.ts';
import { resourceOf, type Kind } from '../kinds/kind.ts';
import type { Controller } from './declaration.ts';
import { isMetadataOnly } from './metadataof.ts';

/** A kind that a controller watches. */
export interface WatchedKind {
  readonly kind: Kind;
  readonly selection: Selection;
  readonly isMetadataOnly: boolean;
}

/** What a controller watches, each kind as often as it is declared, its own one first. */
export function watchedKinds({
  for: kind,
  selection,
  owns,
  watches,
}: Pick<Controller, 'for' | 'selection' | 'owns' | 'watches'>): WatchedKind[] {
  const { namespace } = selection;
  const owned = namespace === undefined ? {} : { namespace };
  const all: [Kind, Selection][] = [
    [kind, selection],
    ...owns.map((kind): [Kind, Selection] => [kind, owned]),
    ...watches.map(({ kind, selection = {} }): [Kind, Selection] => [kind, selection]),
  ];
  return all.map(([kind, selection]) => ({
    kind,
    selection,
    isMetadataOnly: isMetadataOnly(kind),
  }));
}

/** The same, each kind once: `checkController` has seen that its declarations agree. */
export function distinctKinds(controller: Controller): WatchedKind[] {
  return [...new Map(watchedKinds(controller).map((one) => [resourceOf(one.kind), one])).values()];
}
