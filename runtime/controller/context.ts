import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { Kind, Live, ObjectName, WrittenMeta } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import type { CacheView } from './caches.ts';
import type { ObjectEvent } from './object-event.ts';

/** What a reconcile gets: the object, and everything by which it may have an effect. */
export interface Context<
  K extends Kind = Kind,
  Watched extends Kind = Kind,
  C = Client,
  E = ObjectEvent,
> {
  /** As the cache knows it, this controller's own writes included. */
  readonly object: Live<K>;
  /**
   * Does what the controller's access allows, and refuses the rest with `AccessDenied`. What it writes,
   * the cache knows at once. Nothing leaves it once the controller does not lead any more, or its time
   * to stop is over.
   */
  readonly client: C;
  readonly cache: CacheView<Watched>;
  /**
   * What is to be written, with the object as its controller: it is deleted with it, and its changes lead
   * to the next reconcile.
   */
  owned<W extends { readonly metadata: WrittenMeta }>(object: W): W;
  /** The objects of a kind whose controller is this object, from the cache. */
  children<Owned extends Watched>(kind: Owned): readonly Live<Owned>[];
  /**
   * Tells people of the object, in `kubectl describe`, for which the controller's access must have
   * `...eventAccess`. It returns at once and never throws: events are written one after the other beside
   * reconciles, as often as `Events` says, and what cannot be told is counted and logged.
   */
  event(event: E): void;
  /** Its lines name the controller and the object. */
  readonly log: Log;
  readonly clock: Clock;
  /** Aborts when the controller is to stop: what takes long ends early; writes that are due still go through. */
  readonly signal: AbortSignal;
}

/** What is left of an object that is gone: its name. */
export interface GoneContext {
  readonly name: ObjectName;
  readonly log: Log;
}
