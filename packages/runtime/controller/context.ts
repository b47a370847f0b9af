import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { Kind, Live, ObjectName, WrittenMeta } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import type { CacheView } from './caches.ts';
import type { EventSubject, EventInput } from '../events/event.ts';

/** The argument of a reconcile: the object, its client, its caches and its log. */
export interface Context<
  K extends Kind = Kind,
  Watched extends Kind = Kind,
  C = Client,
  E = ObjectEvent,
> {
  /** The object from the cache, including this controller's own writes. */
  readonly object: Live<K>;
  /**
   * A client that allows what the controller's access declares, and rejects everything else with `AccessDenied`. The
   * cache reflects its writes at once. It sends nothing once the controller has lost the lease, or its time to stop is
   * over.
   */
  readonly client: C;
  readonly cache: CacheView<Watched>;
  /**
   * Returns an object to write with the reconciled object as its controller. It is deleted with its owner, and its
   * changes cause a reconcile.
   */
  owned<W extends { readonly metadata: WrittenMeta }>(object: W): W;
  /** Returns the objects of a kind whose controller is this object, from the cache. */
  children<Owned extends Watched>(kind: Owned): readonly Live<Owned>[];
  /**
   * Emits an event about the object, shown by `kubectl describe`. The controller's access must contain
   * `...eventAccess`. Returns at once and never throws. Events are written one after the other beside reconciles,
   * within the limits of `Events`; lost ones are counted and logged.
   */
  event(event: E): void;
  /** A log whose lines name the controller and the object. */
  readonly log: Log;
  readonly clock: Clock;
  /** Aborts when the controller is about to stop. Long operations should end early; pending writes still go through. */
  readonly signal: AbortSignal;
}

/** The remains of a deleted object: its name. */
export interface GoneContext {
  readonly name: ObjectName;
  readonly log: Log;
}

/** An event that a controller emits about an object, for the people who look at it. */
export interface ObjectEvent extends Pick<EventInput, 'note' | 'fieldPath' | 'related'> {
  /** `Warning` if somebody should look at it. @default Normal */
  readonly type?: EventInput['type'] | undefined;
  /** The cause, as one word in CamelCase for programs: `QuotaExceeded`. 1 to 128 bytes. */
  readonly reason: string;
  /** The action that was taken or tried, as one word in CamelCase: `CreateNamespace`. @default - the reason */
  readonly action?: string | undefined;
  /** The object under which people find it. @default - the reconciled object */
  readonly regarding?: EventSubject | undefined;
}

/** The result of a successful reconcile. */
export interface Result {
  /** Milliseconds above 0 after which the object is reconciled again. @default - at the next change */
  readonly requeueAfter?: number | undefined;
}

/** Nothing is left to do until something changes. */
export const done: Result = {};

/**
 * Requests another reconcile of the object after so many milliseconds at most. An earlier reconcile because of a change
 * replaces the request.
 *
 * @example
 * ```ts
 * import { controller, core, done, requeueAfter } from '@tenantry/runtime';
 *
 * const day = 24 * 60 * 60 * 1000;
 *
 * // Logs which namespaces are a day old.
 * export const ages = controller({
 *   name: 'ages',
 *   for: core.Namespace,
 *   async reconcile({ object, clock, log }) {
 *     const age = clock.date().getTime() - Date.parse(object.metadata.creationTimestamp);
 *     if (age < day) return requeueAfter(day - age);
 *     log.info('the namespace is a day old');
 *     return done;
 *   },
 * });
 * ```
 *
 * @throws {RangeError} for a value that is not above 0
 */
export function requeueAfter(milliseconds: number): Result {
  if (!(milliseconds > 0 && Number.isFinite(milliseconds))) {
    throw new RangeError(`requeueAfter must be milliseconds above 0, got ${milliseconds}`);
  }
  return { requeueAfter: milliseconds };
}
