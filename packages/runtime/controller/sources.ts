import { keyOf, nameOf, type Live, type ObjectName } from '../kinds/kind.ts';
import type { CacheHandlers } from '../cache/cached.ts';
import type { Outage } from '../watch/options.ts';
import type { SharedCache } from '../cache/cache.ts';
import type { WatchedCaches } from './caches.ts';
import { listDistinctKinds, type Controller } from './declaration.ts';
import { hasFinalizer, findPauseAnnotation } from './object-reconciler.ts';
import { controllerOf } from './ownership.ts';
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
  const addAll = (change: Change, names: (object: Live) => readonly ObjectName[]): void => {
    const found = new Set<string>();
    for (const object of [change.old, change.object]) {
      if (!object) continue;
      try {
        for (const name of names(object)) found.add(keyOf(checkMappedName(controller, name)));
      } catch (error) {
        failed(error);
      }
    }
    for (const key of found) add(nameOf(key), { isInitial: false });
  };
  const passes = (predicate: () => boolean): boolean => {
    try {
      return predicate();
    } catch (error) {
      failed(error);
      return true;
    }
  };
  const followed = [
    caches.cacheFor(kind).subscribe(
      buildHandlers((change, { isInitial }) => {
        if (change.type === 'deleted') gone(change.object);
        if (!passes(() => shouldReconcile(controller, change))) return;
        add(change.object.metadata, { isInitial });
      }),
    ),
    ...owns.map((owned) =>
      caches.cacheFor(owned.kind).subscribe(
        buildHandlers((change, { isInitial }) => {
          if (isInitial) return;
          addAll(change, (object) => {
            const owner = controllerOf(kind, object);
            return owner ? [owner] : [];
          });
        }),
      ),
    ),
    ...watches.map((watch) =>
      caches.cacheFor(watch.kind).subscribe(
        buildHandlers((change, { isInitial }) => {
          if (isInitial) return;
          if (!passes(() => watch.predicate?.(change) ?? true)) return;
          addAll(change, (object) => watch.map(object, caches.view));
        }),
      ),
    ),
    ...watchLateKinds({ controller, caches, add }),
    ...watchOutages({ controller, caches, add }),
  ];
  return () => {
    for (const one of followed) one.end();
  };
}

/** Adds all objects of the controller when a kind has an outage for long, and when it is read again. */
function watchOutages({
  controller,
  caches,
  add,
}: Pick<SourcesProps, 'controller' | 'caches' | 'add'>): { end(): void }[] {
  const { reconcileOutagesAfter: after } = controller;
  if (after === undefined) return [];
  const addAll = (): void => {
    for (const { metadata } of caches.cacheFor(controller.for).list())
      add(metadata, { isInitial: true });
  };
  return listDistinctKinds(controller).map(({ kind }) => {
    const cache = caches.cacheFor(kind);
    let isKnownOver = isOver(cache.outage, after);
    return cache.followOutages((outage) => {
      if (isKnownOver === isOver(outage, after)) return;
      isKnownOver = !isKnownOver;
      addAll();
    });
  });
}

function isOver(outage: Outage | undefined, after: number): boolean {
  return outage !== undefined && outage.until - outage.since >= after;
}

/** Adds all objects of the controller when a kind becomes readable without which it started. */
function watchLateKinds({
  controller: { for: kind, watches },
  caches,
  add,
}: Pick<SourcesProps, 'controller' | 'caches' | 'add'>): { end(): void }[] {
  return watches
    .filter(({ kind: watched }) => !caches.cacheFor(watched).isSynced)
    .map((watch) =>
      notifyOnceSynced(caches.cacheFor(watch.kind), () => {
        for (const { metadata } of caches.cacheFor(kind).list()) add(metadata, { isInitial: true });
      }),
    );
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
