import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import { ifGone } from '../errors/expected.ts';
import { keyOf, type Kind, type Live, type ObjectName } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import type { WatchedCaches } from './caches.ts';
import type { Context } from './context.ts';
import type { ControllerEvents } from './controllerevents.ts';
import type { Controller } from './declaration.ts';
import type { ObjectEvent } from './objectevent.ts';
import type { Outcome } from './observer.ts';
import { ownedBy } from './ownership.ts';
import { pausingAnnotation } from './pause.ts';
import { done, type Result } from './result.ts';

export interface ObjectLifeProps {
  readonly controller: Controller;
  readonly client: Client;
  readonly caches: WatchedCaches;
  readonly events: Pick<ControllerEvents, 'tell' | 'tellIfDeclared'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told when an object begins to be left alone, and when it no longer is. */
  readonly paused: (key: string, isPaused: boolean) => void;
}

/** What came of an object's turn. */
export interface Turn {
  readonly outcome: Outcome;
  readonly result: Result;
}

const gone: Turn = { outcome: 'gone', result: done };

/**
 * What is to be done for an object at its turn: nothing while it is paused, clean-up before it goes,
 * the finalizer before the first reconcile, else a reconcile.
 */
export class ObjectLife {
  readonly #props: ObjectLifeProps;
  /** Keys of objects that are left alone. */
  readonly #paused = new Set<string>();
  /** Keys of objects that were there, and which `onGone` has not been told of. */
  readonly #leaving = new Set<string>();

  constructor(props: ObjectLifeProps) {
    this.#props = props;
  }

  /** The cache has seen it go. */
  left(name: ObjectName): void {
    this.#leaving.add(keyOf(name));
  }

  /** `log` names the object and this turn. */
  async turn(name: ObjectName, log: Log): Promise<Turn> {
    const { controller, caches } = this.#props;
    const object = caches.of(controller.for).get(name);
    if (!object) return this.#goneFor(name, log);
    if (this.#isLeftAlone(object, log)) return { outcome: 'paused', result: done };
    if (object.metadata.deletionTimestamp !== undefined) return this.#lastTurn(object, log);
    const ready = await this.#withFinalizer(object);
    if (!ready) return gone;
    return turnOf(await controller.reconcile(this.#contextOf(ready, log)));
  }

  async #goneFor(name: ObjectName, log: Log): Promise<Turn> {
    const { controller, paused } = this.#props;
    const key = keyOf(name);
    if (this.#paused.delete(key)) paused(key, false);
    if (this.#leaving.has(key)) await controller.onGone?.({ name, log });
    this.#leaving.delete(key);
    return gone;
  }

  #isLeftAlone(object: Live, log: Log): boolean {
    const { controller, paused, events } = this.#props;
    const key = keyOf(object.metadata);
    const annotation = pausingAnnotation(controller.name, object);
    const isPaused = annotation !== undefined || (controller.isPaused?.(object) ?? false);
    if (isPaused === this.#paused.has(key)) return isPaused;
    if (isPaused) this.#paused.add(key);
    else this.#paused.delete(key);
    const by = annotation ?? 'a field';
    if (isPaused) log.info('the object is paused and left alone', { by });
    else log.info('the object is no longer paused');
    events.tellIfDeclared(object, pauseEvent(controller.name, isPaused ? by : undefined));
    paused(key, isPaused);
    return isPaused;
  }

  async #lastTurn(object: Live, log: Log): Promise<Turn> {
    const { controller, client } = this.#props;
    const { finalizer } = controller;
    if (!finalizer || !hasFinalizer(object, finalizer.name)) return gone;
    const turn = turnOf(await finalizer.cleanUp(this.#contextOf(object, log)));
    if (turn.outcome !== 'done') return turn;
    const rest = object.metadata.finalizers?.filter((name) => name !== finalizer.name) ?? [];
    await patchFinalizers(client, controller.for, object, rest);
    return turn;
  }

  /** Undefined where the object went meanwhile. */
  async #withFinalizer(object: Live): Promise<Live | undefined> {
    const { controller, client } = this.#props;
    const { finalizer } = controller;
    if (!finalizer || hasFinalizer(object, finalizer.name)) return object;
    const all = [...(object.metadata.finalizers ?? []), finalizer.name];
    return patchFinalizers(client, controller.for, object, all);
  }

  #contextOf(object: Live, log: Log): Context {
    const { controller, client, caches, events, clock, signal } = this.#props;
    return {
      object,
      client,
      cache: caches.view,
      clock,
      signal,
      log,
      event: (said) => events.tell(object, said),
      owned: (written) => ownedBy(controller.for, object, written),
      children: (kind) => caches.controlledBy(kind, object.metadata.uid),
    };
  }
}

/** `by` what the object is paused; undefined where it no longer is. */
function pauseEvent(controller: string, by: string | undefined): ObjectEvent {
  const action = 'Reconcile';
  return by === undefined
    ? { reason: 'Resumed', action, note: `The controller ${controller} looks after it again.` }
    : { reason: 'Paused', action, note: `The controller ${controller} leaves it alone, by ${by}.` };
}

const turnOf = (result: Result): Turn => ({
  outcome: result.requeueAfter === undefined ? 'done' : 'requeue-after',
  result,
});

export function hasFinalizer({ metadata }: Live, name: string): boolean {
  return metadata.finalizers?.includes(name) ?? false;
}

/** Of this state of the object alone, as the list is replaced whole. */
function patchFinalizers(
  client: Client,
  kind: Kind,
  { metadata: { name, namespace, resourceVersion } }: Live,
  finalizers: readonly string[],
): Promise<Live | undefined> {
  const patch = { metadata: { resourceVersion, finalizers } };
  return client.patch(kind, { name, namespace }, patch).catch(ifGone);
}
