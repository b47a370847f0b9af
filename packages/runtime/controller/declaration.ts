import type { AccessRule } from '@tenantry/kube/access';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { AllowedClient, GrantedWholeKinds, Undeclared } from '../access/restricted-client.ts';
import type { Grant } from '../access/grant.ts';
import type { Selection } from '../client/client.ts';
import type { Event } from '../kinds/events.ts';
import {
  resourceOf,
  type Kind,
  type Live,
  type ObjectName,
  isMetadataOnly,
  findProjection,
} from '../kinds/kind.ts';
import type { CacheView, CacheOptions } from './caches.ts';
import type { Context, GoneContext, ObjectEvent, Result } from './context.ts';
import type { Change } from './predicate.ts';
import type { Clock } from '../clock/clock.ts';
import type { Instruments } from '../metrics/instruments.ts';

/** Selects the objects of a kind that a controller owns. */
export interface OwnedSelection {
  /** A label selector that all of them match, in the syntax of kubectl: `app=shop,tier!=db`. @default - any */
  readonly labelSelector?: string | undefined;
  /** @default - the namespace of the controller's own selection, or all namespaces */
  readonly namespace?: string | undefined;
}

/**
 * An owned kind, limited to a selection: other objects are neither sent nor kept. Objects that the controller writes
 * with `owned` must match the selection, or they are refused: the controller would never see them.
 */
export interface Owns<K extends Kind = Kind> {
  /** `metadataOf(kind)` if metadata is enough, or `projectionOf(kind, ...)` if a part of the object is. */
  readonly kind: K;
  /** @default - all objects */
  readonly selection?: OwnedSelection | undefined;
}

/** The kinds in `owns`, with or without a selection. */
export type OwnedKinds = readonly (Kind | Owns)[];

/** The kinds themselves, without selections. */
export type OwnedKind<Owned extends OwnedKinds> = Owned[number] extends infer One
  ? One extends Kind
    ? One
    : One extends Owns<infer K>
      ? K
      : never
  : never;

/** Watches objects of another kind, and maps their changes to objects of the controller's kind. */
export interface Watch<K extends Kind = Kind> {
  /** `metadataOf(kind)` if metadata is enough. */
  readonly kind: K;
  /** @default - all objects */
  readonly selection?: Selection | undefined;
  /**
   * Lets the controller start without the kind if it is not served or may not be read, after five seconds at most.
   * `cache.isRead` reports that, and all objects are reconciled once the kind can be read.
   * @default false
   */
  readonly isOptional?: boolean | undefined;
  /**
   * Milliseconds of failed lists after which the controller starts without the kind. `cache.isRead` reports that, and
   * all objects are reconciled once the kind can be read. A replica without the kind is not ready.
   * @default - it waits for the kind forever
   */
  readonly startsWithoutAfter?: number | undefined;
  /** Whether a change causes a reconcile. @default - all do */
  predicate?(change: Change<NoInfer<K>>): boolean;
  /**
   * Returns the names of the objects to reconcile. Called for the old and the new object of a change. `cache` contains
   * the current state of the watched kinds; later changes cause a reconcile of their own.
   */
  map(object: Live<NoInfer<K>>, cache: CacheView): readonly ObjectName[];
}

/** Cleans up before an object is deleted. */
export interface Finalizer<Ctx = Context> {
  /** `domain/name`, unique to the controller. */
  readonly name: string;
  /**
   * Whether the object needs a clean-up before its deletion. Checked before each reconcile, which adds or removes the
   * finalizer accordingly.
   * @default - each object needs it
   */
  isNeeded?(context: Ctx): boolean;
  /**
   * Called once the object is being deleted, until it returns `done`; then the object is deleted. It must tolerate what
   * is already gone.
   */
  cleanUp(context: Ctx): Promise<Result>;
}

/** The declaration of a controller. */
export interface ControllerProps<
  K extends Kind,
  Owned extends OwnedKinds,
  Others extends readonly Kind[],
  Access extends readonly Grant[],
> {
  /** The name in logs and metrics, and the field manager: a DNS label. */
  readonly name: string;
  /** The kind whose objects are reconciled. */
  readonly for: K;
  /** Selects its objects. With a namespace, owned kinds are watched only there. @default - all objects */
  readonly selection?: Selection | undefined;
  /**
   * Kinds whose objects it creates with `owned`; `{ kind, selection }` if it owns only those with certain labels.
   * @default - none
   */
  readonly owns?: Owned | undefined;
  /** @default - nothing else */
  readonly watches?: { readonly [I in keyof Others]: Watch<Others[I]> } | undefined;
  /**
   * Whether a change of an object of its own kind causes a reconcile. Deletions, pauses and a removed finalizer always
   * do.
   * @default - all do
   */
  predicate?(change: Change<NoInfer<K>>): boolean;
  /** The number of objects that are reconciled concurrently; never one object twice. @default 1 */
  readonly concurrency?: number | undefined;
  /**
   * Access in addition to the implied one: listing and watching its kinds, adding its finalizer, and owning. A call
   * outside of it does not compile, and is refused before it is sent.
   * @default - nothing
   */
  readonly access?: Access | undefined;
  /**
   * Milliseconds after which an outage of a watched kind causes a reconcile of all objects; another one follows its
   * end. A reconcile can read the outage from `cache.outageOf`.
   * @default - outages cause no reconcile
   */
  readonly reconcileOutagesAfter?: number | undefined;
  /**
   * The most milliseconds between two attempts for an object whose reconcile fails.
   * @default 1,000,000 (a little over 16 minutes)
   */
  readonly longestRetry?: number | undefined;
  /**
   * A finalizer that is added to every object that needs it, before its first reconcile. An object that leaves
   * `selection` keeps it, and cannot be deleted before somebody removes it or the object is selected again.
   * @default - objects are deleted without a clean-up
   */
  readonly finalizer?: Finalizer<ContextOf<K, Owned, Others, Access>> | undefined;
  /**
   * Whether the object itself requests a pause. Also, the annotation `tenantry.dev/paused`, or
   * `<controller>.tenantry.dev/paused` for one controller, pauses an object with any value but `false`. A paused object
   * is neither reconciled nor cleaned up.
   * @default - only by annotation
   */
  isPaused?(object: Live<NoInfer<K>>): boolean;
  /**
   * Brings the world to the state that the object declares. May be called at any time and any number of times, but
   * never concurrently for one object, and not for one that is being deleted. An error is logged, and retried with
   * backoff.
   */
  reconcile(context: ContextOf<K, Owned, Others, Access>): Promise<Result>;
  /**
   * Reports what an object waits for that is being deleted and still exists without this controller's finalizer,
   * because others keep it. Called after the deletion, after the clean-up, and after changes that pass `predicate`. It
   * must create nothing for the object any more.
   * @default - it is left alone
   */
  waiting?(context: ContextOf<K, Owned, Others, Access>): Promise<Result>;
  /**
   * Drops what was kept in memory for a deleted object. Called for objects that existed during this run. To clean up in
   * the cluster or elsewhere, use `finalizer`.
   */
  onGone?(context: GoneContext): Promise<void>;
  /**
   * Registers the controller's own metrics. Called once, before anything else, and only if the manager serves metrics.
   * @default - only the metrics of the runtime
   */
  metrics?(own: OwnMetrics<K | OwnedKind<Owned> | Others[number]>): void;
}

/** The context of a controller, derived from its declaration. */
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

/** The type of events: none, unless the access allows creating and patching events. */
export type GrantedEvent<G extends Grant> = [typeof Event] extends [
  GrantedWholeKinds<G, 'create'> & GrantedWholeKinds<G, 'patch'>,
]
  ? ObjectEvent
  : ObjectEvent & Undeclared<'access must have ...eventAccess'>;

/**
 * Watched kinds may be listed and watched; a `get` past the cache needs a grant of its own. The API server returns no
 * projections, so those are read from the cache only.
 */
export type ReadingGrant<K extends Kind> = Grant<
  K extends { readonly project: unknown } ? never : K,
  'list' | 'watch',
  undefined
>;

/** A declared controller. */
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
  /** Its complete access: its client refuses everything else, and its roles are derived from it. */
  readonly access: readonly AccessRule[];
  readonly finalizer?: Finalizer | undefined;
  isPaused?(object: Live): boolean;
  reconcile(context: Context): Promise<Result>;
  waiting?(context: Context): Promise<Result>;
  onGone?(context: GoneContext): Promise<void>;
  metrics?(own: OwnMetrics): void;
}

/** What a controller needs for its own metrics. */
export interface OwnMetrics<Watched extends Kind = Kind> {
  /** Registers metrics beside those of the runtime. */
  readonly instruments: Instruments;
  /**
   * The watched kinds, while the controller runs. Undefined before its caches have read all existing objects, and on
   * replicas that do not lead, so that sums over replicas are right.
   */
  cache(): CacheView<Watched> | undefined;
  readonly clock: Clock;
}

interface WatchedKind extends CacheOptions {
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
    ...owns.map((one): [Kind, Selection] => [one.kind, resolveOwnedSelection(one, selection)]),
    ...watches.map((watch): [Kind, Selection, Watch] => [watch.kind, watch.selection ?? {}, watch]),
  ];
  return all.map(([kind, selection, { isOptional = false, startsWithoutAfter } = {}]) => ({
    kind,
    selection,
    isOptional,
    startsWithoutAfter,
    metadataOnly: isMetadataOnly(kind),
    project: findProjection(kind),
  }));
}

function resolveOwnedSelection({ selection = {} }: Owns, own: Selection): Selection {
  const { labelSelector, namespace = own.namespace } = selection;
  return omitUndefined({ namespace, labelSelector });
}

/** Lists each watched kind once: `checkController` has verified that repeated declarations agree. */
export function listDistinctKinds(controller: Controller): WatchedKind[] {
  return [
    ...new Map(listWatchedKinds(controller).map((one) => [resourceOf(one.kind), one])).values(),
  ];
}
