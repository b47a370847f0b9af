import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import { ifGone } from '../errors/reaction.ts';
import { keyOf, type Live, type ObjectName } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import type { WatchedCaches } from './caches.ts';
import { done, requeueAfter, type Context, type ObjectEvent, type Result } from './context.ts';
import type { ControllerEvents } from './controller-events.ts';
import type { Controller } from './declaration.ts';
import type { Outcome } from './observer.ts';
import { ownedBy } from './ownership.ts';

interface ObjectReconcilerProps {
  readonly controller: Controller;
  readonly client: Client;
  readonly caches: WatchedCaches;
  readonly events: Pick<ControllerEvents, 'record' | 'recordIfDeclared'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly paused: (key: string) => void;
  readonly resumed: (key: string) => void;
}

export interface ReconcileOutcome {
  readonly outcome: Outcome;
  readonly result: Result;
}

const goneOutcome: ReconcileOutcome = { outcome: 'gone', result: done };

/**
 * Decides what to do for an object: nothing while it is paused, the clean-up before its deletion, adding or removing
 * the finalizer, or a reconcile.
 */
export class ObjectReconciler {
  readonly #props: ObjectReconcilerProps;
  readonly #paused = new Set<string>();
  /** The last seen states of objects for which `onGone` has not been called yet, by key. */
  readonly #gone = new Map<string, Live>();

  constructor(props: ObjectReconcilerProps) {
    this.#props = props;
  }

  recordGone(last: Live): void {
    this.#gone.set(keyOf(last.metadata), last);
  }

  /** Reconciles an object. `log` names the object and this reconcile. */
  async reconcile(name: ObjectName, log: Log): Promise<ReconcileOutcome> {
    const { controller, resumed } = this.#props;
    const key = keyOf(name);
    // Before another object of this name is reconciled.
    const last = this.#gone.get(key);
    if (last) await controller.onGone?.({ name, log });
    this.#gone.delete(key);
    const object = this.#find(name);
    if (!object) {
      if (last && leavesFinalizerBehind(controller, last)) {
        const { finalizer, selection } = controller;
        const sentence = 'the object is no longer selected, and its finalizer stays on it';
        log.warn(sentence, { finalizer: finalizer?.name, selection });
      }
      if (this.#paused.delete(key)) resumed(key);
      return goneOutcome;
    }
    if (this.#updatePaused(object, log)) return { outcome: 'paused', result: done };
    if (object.metadata.deletionTimestamp !== undefined) return this.#finalize(object, log);
    const context = this.#buildContext(object, log);
    if (this.#needsFinalizer(context) === this.#lacksFinalizer(object)) {
      // The object is then reconciled as cached, which may be only a part of it.
      return (await this.#changeFinalizer(object)) ? this.reconcile(name, log) : goneOutcome;
    }
    return toReconcileOutcome(await controller.reconcile(context));
  }

  #find(name: ObjectName): Live | undefined {
    const { controller, caches } = this.#props;
    return caches.cacheFor(controller.for).get(name);
  }

  #updatePaused(object: Live, log: Log): boolean {
    const { controller, paused, resumed, events } = this.#props;
    const key = keyOf(object.metadata);
    const annotation = findPauseAnnotation(controller.name, object);
    const isPaused = annotation !== undefined || (controller.isPaused?.(object) ?? false);
    if (isPaused === this.#paused.has(key)) return isPaused;
    if (isPaused) this.#paused.add(key);
    else this.#paused.delete(key);
    const by = annotation ?? 'a field';
    if (isPaused) log.info('the object is paused and left alone', { by });
    else log.info('the object is no longer paused');
    events.recordIfDeclared(object, buildPauseEvent(controller.name, isPaused ? by : undefined));
    if (isPaused) paused(key);
    else resumed(key);
    return isPaused;
  }

  async #finalize(object: Live, log: Log): Promise<ReconcileOutcome> {
    const { controller } = this.#props;
    const { finalizer } = controller;
    if (!finalizer || !hasFinalizer(object, finalizer.name)) {
      if (!controller.waiting) return goneOutcome;
      return toReconcileOutcome(await controller.waiting(this.#buildContext(object, log)));
    }
    const reconciled = toReconcileOutcome(await finalizer.cleanUp(this.#buildContext(object, log)));
    if (reconciled.outcome !== 'done') return reconciled;
    const cleanedUp = this.#refresh(object);
    if (!this.#lacksFinalizer(cleanedUp)) await this.#removeFinalizer(cleanedUp, finalizer.name);
    return reconciled;
  }

  /**
   * Returns the cached state of the same object, unless it has changed in other ways: a status that the clean-up wrote
   * must not cause another clean-up.
   */
  #refresh(object: Live): Live {
    const { uid, generation } = object.metadata;
    const now = this.#find(object.metadata);
    const isSame = now?.metadata.uid === uid && now.metadata.generation === generation;
    return isSame && generation !== undefined ? now : object;
  }

  #lacksFinalizer(object: Live): boolean {
    const { finalizer } = this.#props.controller;
    return finalizer !== undefined && !hasFinalizer(object, finalizer.name);
  }

  /** Whether the object needs the finalizer; undefined if there is none. */
  #needsFinalizer(context: Context): boolean | undefined {
    const { finalizer } = this.#props.controller;
    return finalizer && (finalizer.isNeeded?.(context) ?? true);
  }

  /**
   * Adds or removes the finalizer. Returns whether the object still exists.
   * @throws {Error} if the server accepts the change, but the object has not changed
   */
  async #changeFinalizer(object: Live): Promise<boolean> {
    const { finalizer, for: kind } = this.#props.controller;
    const { name = '' } = finalizer ?? {};
    const isAdded = this.#lacksFinalizer(object);
    const written = isAdded
      ? await this.#patchFinalizers(object, [...(object.metadata.finalizers ?? []), name])
      : await this.#removeFinalizer(object, name);
    if (written && hasFinalizer(written, name) !== isAdded) {
      const [must, does] = isAdded ? ['stay on', 'takes it away'] : ['go from', 'puts it back'];
      throw new Error(
        `the finalizer ${name} must ${must} ${kind.kind} ${keyOf(object.metadata)}, but something ${does} as it is written: a webhook?`,
      );
    }
    return written !== undefined;
  }

  #removeFinalizer(object: Live, name: string): Promise<Live | undefined> {
    const rest = object.metadata.finalizers?.filter((one) => one !== name) ?? [];
    return this.#patchFinalizers(object, rest);
  }

  /** Patches only this state of the object, since a merge patch replaces the list as a whole. */
  #patchFinalizers(
    { metadata: { name, namespace, resourceVersion } }: Live,
    finalizers: readonly string[],
  ): Promise<Live | undefined> {
    const { controller, client } = this.#props;
    const patch = { metadata: { resourceVersion, finalizers } };
    return client.patch(controller.for, { name, namespace }, patch).catch(ifGone);
  }

  #buildContext(object: Live, log: Log): Context {
    const { controller, client, caches, events, clock, signal } = this.#props;
    return {
      object,
      client,
      cache: caches.view,
      clock,
      signal,
      log,
      event: (event) => events.record(object, event),
      owned: (written) => ownedBy(controller.for, object, written),
      children: (kind) => caches.controlledBy(kind, object.metadata.uid),
    };
  }
}

/** `by` is what pauses the object; undefined if nothing does any more. */
function buildPauseEvent(controller: string, by: string | undefined): ObjectEvent {
  const action = 'Reconcile';
  return by === undefined
    ? { reason: 'Resumed', action, note: `The controller ${controller} looks after it again.` }
    : { reason: 'Paused', action, note: `The controller ${controller} leaves it alone, by ${by}.` };
}

/** @throws {RangeError} for a time that is not above 0 */
const toReconcileOutcome = ({ requeueAfter: after }: Result): ReconcileOutcome =>
  after === undefined
    ? { outcome: 'done', result: done }
    : { outcome: 'requeue-after', result: requeueAfter(after) };

/**
 * Whether the object left the selection with its finalizer: its deletion would wait forever.
 */
function leavesFinalizerBehind({ finalizer, selection }: Controller, last: Live): boolean {
  const isSelected = Boolean(selection.labelSelector ?? selection.fieldSelector);
  const isDeleted = last.metadata.deletionTimestamp !== undefined;
  return isSelected && !isDeleted && finalizer !== undefined && hasFinalizer(last, finalizer.name);
}

export function hasFinalizer({ metadata }: Live, name: string): boolean {
  return metadata.finalizers?.includes(name) ?? false;
}

/** The annotation of an object with which all controllers of this runtime leave it alone. */
export const PAUSED = 'tenantry.dev/paused';

/**
 * Returns the annotation that pauses the object. Any value but `false` pauses, so `True`, `yes` and an empty value work
 * as intended.
 */
export function findPauseAnnotation(controller: string, { metadata }: Live): string | undefined {
  const { annotations = {} } = metadata;
  return [PAUSED, `${controller}.${PAUSED}`].find(
    (name) => Object.hasOwn(annotations, name) && annotations[name] !== 'false',
  );
}
