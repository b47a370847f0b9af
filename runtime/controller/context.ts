import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { Kind, Live, ObjectName, WrittenMeta } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import type { CacheView } from './caches.ts';
import type { ObjectEvent } from './object-event.ts';

/** The argument of a reconcile: the object, and every means to have an effect. */
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
