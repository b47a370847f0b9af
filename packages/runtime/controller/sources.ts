import { keyOf, parseKey, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';
import type { CacheHandlers } from '../cache/cached.ts';
import type { Outage } from '../watch/failures.ts';
import type { SharedCache } from '../cache/cache.ts';
import type { WatchedCaches } from './caches.ts';
import { listDistinctKinds, type Controller } from './declaration.ts';
import { hasFinalizer, findPauseAnnotation } from './object-reconciler.ts';
import { findController } from './ownership.ts';
import type { Change } from './predicate.ts';

/** Whether an object existed when the controller began, so that it is no change. */
interface Origin {
  readonly isInitial: boolean;
}

interface SourcesProps {
  readonly controller: Controller;
  readonly caches: WatchedCaches;
  /** Adds the name of an object to reconcile; `isInitial` if it has not changed. */
  readonly add: (name: ObjectName, origin: Origin) => void;
  /** Called when the cache has seen that an object of the controller's kind is gone; `last` is its last state. */
  readonly gone: (last: Live) => void;
  /** Called when a predicate or a mapping of the controller threw. */
  readonly failed: (error: unknown) => void;
}

/**
 * Adds all objects of the controller, then those that are affected by changes in its caches, until the returned
 * function is called. A predicate that throws causes a reconcile, possibly an unnecessary one.
 */
export function watchSources({ controller, caches, add, gone, failed }: SourcesProps): () => void {
  const { for: kind, owns, watches } = controller;
  const addMapped = (change: Change, names: (object: Live) => readonly ObjectName[]): void => {
    const found = new Set<string>();
    for (const object of [change.old, change.object]) {
      if (!object) continue;
      try {
        for (const name of names(object)) found.add(keyOf(checkMappedName(controller, name)));
      } catch (error) {
        failed(error);
      }
    }
    for (const key of found) add(parseKey(key), { isInitial: false });
  };
  const passes = (predicate: () => boolean): boolean => {
    try {
      return predicate();
    } catch (error) {
      failed(error);
      return true;
    }
  };
  const subscribe = (
    watched: Kind,
    notify: (change: Change, origin: Origin) => void,
  ): { end(): void } => caches.cacheFor(watched).subscribe(buildHandlers(notify));
  const addAll = (): void => {
    for (const { metadata } of caches.cacheFor(kind).list()) add(metadata, { isInitial: true });
  };
  const subscriptions = [
    subscribe(kind, (change, { isInitial }) => {
      if (change.type === 'deleted') gone(change.object);
      if (!passes(() => shouldReconcile(controller, change))) return;
      add(change.object.metadata, { isInitial });
    }),
    ...owns.map((owned) =>
      subscribe(owned.kind, (change, { isInitial }) => {
        if (isInitial) return;
        addMapped(change, (object) => {
          const owner = findController(kind, object);
          return owner ? [owner] : [];
        });
      }),
    ),
    ...watches.map((watch) =>
      subscribe(watch.kind, (change, { isInitial }) => {
        if (isInitial) return;
        if (!passes(() => watch.predicate?.(change) ?? true)) return;
        addMapped(change, (object) => watch.map(object, caches.view));
      }),
    ),
    ...watchLateKinds(controller, caches, addAll),
    ...watchOutages(controller, caches, addAll),
  ];
  return () => {
    for (const one of subscriptions) one.end();
  };
}

/** Calls back when a kind has an outage for long, and when it is read again. */
function watchOutages(
  controller: Controller,
  caches: WatchedCaches,
  notify: () => void,
): { end(): void }[] {
  const { reconcileOutagesAfter: after } = controller;
  if (after === undefined) return [];
  return listDistinctKinds(controller).map(({ kind }) => {
    const cache = caches.cacheFor(kind);
    let isKnownOver = isOver(cache.outage, after);
    return cache.followOutages((outage) => {
      if (isKnownOver === isOver(outage, after)) return;
      isKnownOver = !isKnownOver;
      notify();
    });
  });
}

function isOver(outage: Outage | undefined, after: number): boolean {
  return outage !== undefined && outage.until - outage.since >= after;
}

/** Calls back when a kind becomes readable without which the controller started. */
function watchLateKinds(
  { watches }: Controller,
  caches: WatchedCaches,
  notify: () => void,
): { end(): void }[] {
  return watches
    .map(({ kind }) => caches.cacheFor(kind))
    .filter(({ isSynced }) => !isSynced)
    .map((cache) => notifyOnceSynced(cache, notify));
}

/** Calls back once when the cache is filled, until `end`. */
function notifyOnceSynced({ synced }: SharedCache, notify: () => void): { end(): void } {
  let isOver = false;
  synced.then(
    () => isOver || notify(),
    // The cache has ended, and the controller with it.
    () => undefined,
  );
  return { end: () => void (isOver = true) };
}

/** Whether a change causes a reconcile. Deletions, pauses and a removed finalizer do regardless of the predicate. */
function shouldReconcile(controller: Controller, change: Change): boolean {
  const { object, old } = change;
  if (!controller.predicate || change.type === 'deleted') return true;
  if (old !== undefined) {
    const { finalizer } = controller;
    const isPaused = (one: Live): boolean =>
      findPauseAnnotation(controller.name, one) !== undefined || !!controller.isPaused?.(one);
    if (object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp) return true;
    if (isPaused(object) !== isPaused(old)) return true;
    if (finalizer && hasFinalizer(old, finalizer.name) && !hasFinalizer(object, finalizer.name)) {
      return true;
    }
  }
  return controller.predicate(change);
}

/** @throws {Error} if the name cannot be that of an object of the controller's kind */
function checkMappedName(
  { name: controller, for: kind }: Controller,
  name: ObjectName,
): ObjectName {
  const isPlaced = name.namespace !== undefined;
  if (isPlaced === (kind.scope === 'Namespaced')) return name;
  const rule = isPlaced ? 'no namespace' : 'a namespace';
  throw new Error(`${controller}: map must name a ${kind.kind} with ${rule}, got ${keyOf(name)}`);
}

function buildHandlers(notify: (change: Change, origin: Origin) => void): CacheHandlers {
  return {
    added: (object, origin) => notify({ type: 'added', object }, origin),
    changed: (old, object) => notify({ type: 'changed', old, object }, { isInitial: false }),
    deleted: (object) => notify({ type: 'deleted', object }, { isInitial: false }),
  };
}
