import { keyOf, nameOf, type Live, type ObjectName } from '../kinds/kind.ts';
import type { CacheHandlers, WatchedCaches } from './caches.ts';
import type { Controller } from './declaration.ts';
import { hasFinalizer } from './objectlife.ts';
import { controllerOf } from './ownership.ts';
import { pausingAnnotation } from './pause.ts';
import type { Change } from './predicate.ts';

export interface SourcesProps {
  readonly controller: Controller;
  readonly caches: WatchedCaches;
  /** Takes the name of each object that is to be looked at. */
  readonly add: (name: ObjectName) => void;
  /** The cache has seen an object of the controller's kind go. */
  readonly left: (name: ObjectName) => void;
  /** A predicate or a mapping of the controller threw. */
  readonly failed: (error: unknown) => void;
}

/**
 * Tells to which objects of the controller changes in its caches lead, from now on, until what it
 * returns is called. What a predicate throws at leads to a reconcile, rather one too many.
 */
export function followSources({ controller, caches, add, left, failed }: SourcesProps): () => void {
  const { for: kind, owns, watches } = controller;
  const addAll = (change: Change, names: (object: Live) => readonly ObjectName[]): void => {
    const found = new Set<string>();
    for (const object of [change.old, change.object]) {
      if (!object) continue;
      try {
        for (const name of names(object)) found.add(keyOf(checked(controller, name)));
      } catch (error) {
        failed(error);
      }
    }
    for (const key of found) add(nameOf(key));
  };
  const passes = (predicate: () => boolean): boolean => {
    try {
      return predicate();
    } catch (error) {
      failed(error);
      return true;
    }
  };
  const stops = [
    caches.of(kind).handle(
      handlersOf((change) => {
        if (change.type === 'deleted') left(change.object.metadata);
        if (!passes(() => isDue(controller, change))) return;
        add(change.object.metadata);
      }),
    ),
    ...owns.map((owned) =>
      caches.of(owned).handle(
        handlersOf((change) =>
          addAll(change, (object) => {
            const owner = controllerOf(kind, object);
            return owner ? [owner] : [];
          }),
        ),
      ),
    ),
    ...watches.map((watch) =>
      caches.of(watch.kind).handle(
        handlersOf((change) => {
          if (!passes(() => watch.predicate?.(change) ?? true)) return;
          addAll(change, (object) => watch.map(object));
        }),
      ),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** What the predicate cannot withhold: deletions, pauses, and a finalizer that somebody took away. */
function isDue(controller: Controller, change: Change): boolean {
  const { object, old } = change;
  if (!controller.predicate || change.type === 'deleted') return true;
  if (old !== undefined) {
    const { finalizer } = controller;
    const isPaused = (one: Live): boolean =>
      pausingAnnotation(controller.name, one) !== undefined || !!controller.isPaused?.(one);
    if (object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp) return true;
    if (isPaused(object) !== isPaused(old)) return true;
    if (finalizer && hasFinalizer(old, finalizer.name) && !hasFinalizer(object, finalizer.name)) {
      return true;
    }
  }
  return controller.predicate(change);
}

/** @throws {Error} for the name of no object of the controller's kind */
function checked({ name: controller, for: kind }: Controller, name: ObjectName): ObjectName {
  const isPlaced = name.namespace !== undefined;
  if (isPlaced === (kind.scope === 'Namespaced')) return name;
  const rule = isPlaced ? 'no namespace' : 'a namespace';
  throw new Error(`${controller}: map must name a ${kind.kind} with ${rule}, got ${keyOf(name)}`);
}

function handlersOf(tell: (change: Change) => void): CacheHandlers {
  return {
    added: (object) => tell({ type: 'added', object }),
    changed: (old, object) => tell({ type: 'changed', old, object }),
    deleted: (object) => tell({ type: 'deleted', object }),
  };
}
