import type { AccessRule } from '../../kube/access.ts';
import type { AllowedClient, GrantedWholeKinds, Undeclared } from '../access/allowed-client.ts';
import type { Grant } from '../access/grant.ts';
import type { Selection } from '../client/client.ts';
import type { Event } from '../kinds/events.ts';
import type { Kind, Live, ObjectName } from '../kinds/kind.ts';
import type { CacheView } from './caches.ts';
import type { Context, GoneContext } from './context.ts';
import type { ObjectEvent } from './object-event.ts';
import type { OwnMetrics } from './own-metrics.ts';
import type { Change } from './predicate.ts';
import type { Result } from './result.ts';

/** Which objects of a kind a controller owns. */
export interface OwnedSelection {
  /** Labels that all of them carry, as kubectl writes it: `app=shop,tier!=db`. @default - any */
  readonly labelSelector?: string | undefined;
  /** @default - where the controller's own objects are selected: there, or in all namespaces */
  readonly namespace?: string | undefined;
}

/**
 * A kind of which a controller makes objects, held to a selection: what is not selected is neither sent
 * nor kept. What the controller writes with `owned` must be selected, or it is refused: it would never
 * be seen.
 */
export interface Owns<K extends Kind = Kind> {
  /** `metadataOf(kind)` where metadata is enough, `projectionOf(kind, ...)` where part of the rest is. */
  readonly kind: K;
  /** @default - all objects */
  readonly selection?: OwnedSelection | undefined;
}

/** Kinds in `owns`, each by itself or with a selection. */
export type OwnedKinds = readonly (Kind | Owns)[];

/** The kinds themselves. */
export type OwnedKind<Owned extends OwnedKinds> = Owned[number] extends infer One
  ? One extends Kind
    ? One
    : One extends Owns<infer K>
      ? K
      : never
  : never;

/** Kinds that neither are the controller's own nor owned, and to which of its objects they lead. */
export interface Watch<K extends Kind = Kind> {
  /** `metadataOf(kind)` where metadata is enough. */
  readonly kind: K;
  /** @default - all objects */
  readonly selection?: Selection | undefined;
  /**
   * Whether the controller does without the kind where it is not served, or may not be read: it starts all the
   * same, `cache.isRead` says so, and all its objects are reconciled when the kind can be read. Before that
   * it waits for it for five seconds at the most. @default false
   */
  readonly isOptional?: boolean | undefined;
  /**
   * Milliseconds for which the kind may fail to be listed before the controller starts without it: then
   * `cache.isRead` says so, and all its objects are reconciled when the kind can be read. A replica without the kind
   * is not ready. @default - it waits for the kind for ever
   */
  readonly startsWithoutAfter?: number | undefined;
  /** Whether a change is worth a reconcile. @default - all are */
  predicate?(change: Change<NoInfer<K>>): boolean;
  /**
   * Names of objects of the controller's kind. Of a change, the old and the new object are asked. `cache` has
   * the kinds that the controller watches, as they are now: what comes later leads to a reconcile itself.
   */
  map(object: Live<NoInfer<K>>, cache: CacheView): readonly ObjectName[];
}

/** What is to be done before an object may go. */
export interface Finalizer<Ctx = Context> {
  /** `domain/name`: no other controller has it. */
  readonly name: string;
  /**
   * Whether the object must not go without being cleaned up, asked before each reconcile: an object has the
   * finalizer while that is so, and one that has it and needs it no more loses it.
   * @default - each object must not
   */
  isNeeded?(context: Ctx): boolean;
  /**
   * Called when the object is to be deleted, until it returns `done`; then the object goes. It must
   * take what is gone already for cleaned up.
   */
  cleanUp(context: Ctx): Promise<Result>;
}

/** A controller as it is written down. */
export interface ControllerProps<
  K extends Kind,
  Owned extends OwnedKinds,
  Others extends readonly Kind[],
  Access extends readonly Grant[],
> {
  /** In logs and metrics, and as the manager of the fields that it writes: a DNS label. */
  readonly name: string;
  /** The kind whose objects are reconciled. */
  readonly for: K;
  /** Which of them. In one namespace, it watches what they own there only. @default - all objects */
  readonly selection?: Selection | undefined;
  /**
   * Kinds of which it makes objects with `owned`; `{ kind, selection }` where only those with certain
   * labels are its own. @default - none
   */
  readonly owns?: Owned | undefined;
  /** @default - nothing else */
  readonly watches?: { readonly [I in keyof Others]: Watch<Others[I]> } | undefined;
  /**
   * Whether a change of an object of its own kind is worth a reconcile. Deletions, pauses and what
   * takes the finalizer away always are. @default - all are
   */
  predicate?(change: Change<NoInfer<K>>): boolean;
  /** How many objects are reconciled at a time; never one of them twice. @default 1 */
  readonly concurrency?: number | undefined;
  /**
   * What it may do beyond listing and watching what it watches, adding its finalizer and owning: those
   * are added.
   * A call that is not declared does not compile, and is refused before it leaves.
   * @default - nothing
   */
  readonly access?: Access | undefined;
  /**
   * Milliseconds after which the controller reconciles all of its objects when a kind that it watches cannot be
   * listed or watched, and once more when it can: a reconcile then says what `cache.outageOf` tells.
   * @default - outages lead to no reconcile
   */
  readonly reconcileOutagesAfter?: number | undefined;
  /**
   * Milliseconds at the most between two tries of an object whose reconcile fails. @default 1,000,000 (a little
   * over 16 minutes)
   */
  readonly longestRetry?: number | undefined;
  /**
   * Added to every object that needs it before the first reconcile. One that leaves `selection` keeps it, and cannot go
   * before somebody takes it away or it is selected again. @default - objects go without being asked for
   */
  readonly finalizer?: Finalizer<ContextOf<K, Owned, Others, Access>> | undefined;
  /**
   * Whether the object says that it is to be left alone. The annotations `tenantry.dev/paused`, and
   * `<controller>.tenantry.dev/paused` for one controller, pause as well, with any value but `false`.
   * A paused object is neither reconciled nor cleaned up. @default - only by annotation
   */
  isPaused?(object: Live<NoInfer<K>>): boolean;
  /**
   * Makes the world as the object says. It may be called at any time, any number of times, never at a
   * time for one object, and not for one that is being deleted. What it throws is logged, and it is
   * called again after a while that grows.
   */
  reconcile(context: ContextOf<K, Owned, Others, Access>): Promise<Result>;
  /**
   * To say what an object waits for that is being deleted and is still there, without this controller's
   * finalizer, or no longer with it: others keep it. Called after the deletion, after the clean-up, and
   * after changes that `predicate` takes for worth a reconcile. Nothing is to be made for it any more.
   * @default - it is left alone
   */
  waiting?(context: ContextOf<K, Owned, Others, Access>): Promise<Result>;
  /**
   * To forget what was kept in memory of an object. Called when one is gone that was there while this
   * ran; for anything in the cluster or elsewhere there is `finalizer`.
   */
  onGone?(context: GoneContext): Promise<void>;
  /**
   * Makes metrics of its own. Called once, before anything else, and only where the manager serves metrics.
   * @default - those of the runtime alone
   */
  metrics?(own: OwnMetrics<K | OwnedKind<Owned> | Others[number]>): void;
}

/** The context of a controller by what it declares. */
export type ContextOf<
  K extends Kind,
  Owned extends OwnedKinds,
  Others extends readonly Kind[],
  Access extends readonly Grant[],
> = Context<
  K,
  K | OwnedKind<Owned> | Others[number],
  AllowedClient<Access[number] | ReadingGrant<K | OwnedKind<Owned> | Others[number]>>,
  GrantedEvent<Access[number]>
>;

/** What may be told of an object: nothing, unless events may be created and patched. */
export type GrantedEvent<G extends Grant> = [typeof Event] extends [
  GrantedWholeKinds<G, 'create'> & GrantedWholeKinds<G, 'patch'>,
]
  ? ObjectEvent
  : ObjectEvent & Undeclared<'access must have ...eventAccess'>;

/**
 * What is watched may be listed and watched. To `get` it past the cache is a right of its own. The API
 * server gives no projections: those are read from the cache alone.
 */
export type ReadingGrant<K extends Kind> = Grant<
  K extends { readonly project: unknown } ? never : K,
  'list' | 'watch',
  undefined
>;

/** A controller, declared. */
export interface Controller {
  readonly name: string;
  readonly for: Kind;
  readonly selection: Selection;
  readonly owns: readonly Owns[];
  readonly watches: readonly Watch[];
  predicate?(change: Change): boolean;
  readonly concurrency: number;
  readonly reconcileOutagesAfter?: number | undefined;
  readonly longestRetry?: number | undefined;
  /** All that it may do: its client refuses the rest, and its roles are made of this. */
  readonly access: readonly AccessRule[];
  readonly finalizer?: Finalizer | undefined;
  isPaused?(object: Live): boolean;
  reconcile(context: Context): Promise<Result>;
  waiting?(context: Context): Promise<Result>;
  onGone?(context: GoneContext): Promise<void>;
  metrics?(own: OwnMetrics): void;
}
