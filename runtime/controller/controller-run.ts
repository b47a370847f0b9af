import { restricted } from '../access/restricted.ts';
import type { Client } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import { isAborted } from '../errors/aborted.ts';
import { ApiError } from '../errors/api-error.ts';
import { reactionTo } from '../errors/reaction.ts';
import { keyOf, nameOf, resourceOf, type ObjectName } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import type { Instruments } from '../metrics/instruments.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import { Tracing, type Span } from '../tracing/tracing.ts';
import { WatchedCaches, type Caches, type ResourceOutage } from './caches.ts';
import { ControllerClient } from './controller-client.ts';
import { ControllerEvents, type EventReporting } from './controller-events.ts';
import type { Controller } from './declaration.ts';
import { ObjectReconciler, type ReconcileOutcome } from './object-life.ts';
import type { ControllerObserver, Outcome } from './observer.ts';
import { controllerUid } from './ownership.ts';
import { watchSources } from './sources.ts';
import { listDistinctKinds } from './watched-kinds.ts';

/** Milliseconds that kinds may take which the controller can do without. */
const optionalWait = 5_000;

/** What was there at the start goes after what changes. */
const startUp = -100;

export interface ControllerDeps {
  readonly client: Client;
  readonly caches: Caches;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly observer?: ControllerObserver | undefined;
  readonly events?: EventReporting | undefined;
}

export interface RunSignals {
  /** Asks to come to an end: nothing is begun any more, what was begun is finished. */
  readonly stop: AbortSignal;
  /** From now on nothing may be written, finished or not. */
  readonly cut: AbortSignal;
}

/**
 * A controller with its caches, which are filled from its making on. It can run several times, one after
 * the other: each begins with all objects that there are.
 */
export class ControllerRun {
  readonly controller: Controller;
  readonly #deps: ControllerDeps;
  readonly #caches: WatchedCaches;
  readonly #log: Log;
  readonly #tracing = new Tracing();
  #queue: WorkQueue | undefined;
  #isRunning = false;

  constructor(controller: Controller, deps: ControllerDeps) {
    this.controller = controller;
    this.#deps = deps;
    this.#caches = new WatchedCaches(controller.name, listDistinctKinds(controller), deps.caches);
    // Before there is anything to go through: `children` asks by it.
    for (const { kind } of controller.owns) this.#caches.cacheFor(kind).index(controllerUid);
    this.#log = deps.log.with({ controller: controller.name });
  }

  /** The objects that are reconciled just now, and for how many milliseconds. */
  get inWork(): ReadonlyMap<string, number> {
    return this.#queue?.inWork ?? new Map();
  }

  /** Resolves when its caches have read all that was there. */
  get synced(): Promise<void> {
    return this.#caches.synced;
  }

  /** Resources that it cannot do without, and of which not all that was there has been read. */
  get unread(): readonly string[] {
    return this.#caches.unread;
  }

  /** Resources that it cannot do without, and that cannot be listed or watched. */
  get outages(): readonly ResourceOutage[] {
    return this.#caches.outages;
  }

  /** Has the controller make its own metrics. */
  registerMetrics(instruments: Instruments): void {
    const cache = () => (this.#isRunning ? this.#caches.view : undefined);
    this.controller.metrics?.({ instruments, cache, clock: this.#deps.clock });
  }

  /**
   * Reconciles, from when its caches are synced, until `stop` aborts and what was begun is finished.
   * It rejects for nothing that a reconcile throws. At the end events are written that wait for it.
   */
  async run({ stop, cut }: RunSignals): Promise<void> {
    if (!(await settlesBeforeAbort(this.#waitForCaches(stop), stop))) return;
    const { controller } = this;
    const log = this.#log;
    const { clock, random, observer } = this.#deps;
    const { longestRetry: longest } = controller;
    const queue = new WorkQueue({
      clock,
      backoff: { longest },
      random,
      observer: observer?.queue?.(controller.name),
    });
    this.#queue = queue;
    const client = this.#createClient(cut);
    const events = this.#createEvents(cut, client);
    const life = new ObjectReconciler({
      controller,
      client,
      caches: this.#caches,
      events,
      clock,
      signal: stop,
      paused: (key, isPaused) => observer?.paused?.(controller.name, key, isPaused),
    });
    const unfollow = watchSources({
      controller,
      caches: this.#caches,
      add: (name, isInitial) =>
        queue.add(keyOf(name), { flow: flowOf(name), priority: isInitial ? startUp : 0 }),
      left: (last) => life.recordGone(last),
      failed: (error) => {
        log.error('a predicate or mapping failed', { error });
        observer?.handlerFailed?.(controller.name, error);
      },
    });
    const workers = Array.from({ length: controller.concurrency }, () =>
      this.#runWorker(queue, life, { stop, cut }),
    );
    this.#isRunning = true;
    log.info('the controller runs', { workers: controller.concurrency });
    await settlesBeforeAbort(Promise.all(workers), stop);
    this.#isRunning = false;
    unfollow();
    await queue.close();
    await Promise.all(workers);
    await events.stop();
    log.info('the controller has stopped');
  }

  /** Its caches are no longer needed. */
  close(): void {
    this.#caches.close();
  }

  /** Resolves when its caches are filled; optional ones are not waited for after a while. */
  async #waitForCaches(stop: AbortSignal): Promise<void> {
    await this.#caches.synced;
    if (!this.controller.watches.some(({ isOptional }) => isOptional)) return;
    const enough = new AbortController();
    const { signal } = enough;
    const tooLong = this.#deps.clock.sleep(optionalWait, AbortSignal.any([stop, signal]));
    await Promise.race([this.#caches.allSynced, tooLong.catch(() => undefined)]);
    enough.abort();
  }

  #createClient(cut: AbortSignal): ControllerClient {
    const { controller } = this;
    const { client, caches } = this.#deps;
    return new ControllerClient({
      client: restricted(client, controller.access, `controller ${controller.name}`),
      controller,
      caches,
      find: (kind, name) => this.#caches.find(kind, name),
      cut,
    });
  }

  #createEvents(cut: AbortSignal, client: ControllerClient): ControllerEvents {
    const { controller } = this;
    const { clock, random, events } = this.#deps;
    return new ControllerEvents({
      ...events,
      controller,
      client,
      clock,
      random,
      log: this.#log,
      cut,
    });
  }

  async #runWorker(queue: WorkQueue, life: ObjectReconciler, signals: RunSignals): Promise<void> {
    const { clock, observer } = this.#deps;
    const { name } = this.controller;
    for (let key; (key = await queue.take()) !== undefined; queue.done(key)) {
      const began = clock.now();
      observer?.began?.(name);
      const outcome = await this.#traced(key, (span) =>
        this.#reconcileKey(queue, life, { key, span }, signals),
      );
      observer?.ended?.(name, outcome, clock.now() - began);
    }
  }

  /** A trace begins with each reconcile; what it asks of the API server is part of it. */
  #traced(key: string, turn: (span?: Span) => Promise<Outcome>): Promise<Outcome> {
    if (!this.#tracing.isOn) return turn();
    const { name: controller, for: kind } = this.controller;
    const attributes = {
      'tenantry.controller': controller,
      'tenantry.resource': resourceOf(kind),
      'tenantry.object': key,
    };
    const props = { name: `reconcile ${controller}`, isRoot: true, attributes };
    return this.#tracing.withSpan(props, async (span) => {
      const outcome = await turn(span);
      span?.set({ 'tenantry.reconcile.result': outcome });
      return outcome;
    });
  }

  async #reconcileKey(
    queue: WorkQueue,
    life: ObjectReconciler,
    { key, span }: ReconcileTask,
    signals: RunSignals,
  ): Promise<Outcome> {
    const name = nameOf(key);
    const reconcileID = generateReconcileId(this.#deps.random);
    const log = this.#log.with({ namespace: name.namespace, name: name.name, reconcileID });
    span?.set({ 'tenantry.reconcile.id': reconcileID });
    let turn: ReconcileOutcome;
    try {
      turn = await life.reconcile(name, log);
    } catch (error) {
      return this.#handleFailure(queue, { key, span, log, error }, signals);
    }
    queue.forget(key);
    const after = turn.result.requeueAfter;
    if (after !== undefined) queue.add(key, { after, flow: flowOf(name) });
    return turn.outcome;
  }

  #handleFailure(
    queue: WorkQueue,
    { key, span, log, error }: FailedReconcile,
    { stop, cut }: RunSignals,
  ): Outcome {
    if (isAborted(error, stop) || isAborted(error, cut)) {
      log.info('the reconcile was stopped');
      return 'aborted';
    }
    const api = error instanceof ApiError ? error : undefined;
    queue.retry(key, { atLeast: api?.retryAfter });
    if (api?.isConflict && reactionTo(api) === 'reread') {
      log.info('what was written is outdated, and is decided again', { error: api.message });
      return 'conflict';
    }
    span?.fail(error);
    log.error('the reconcile failed', { error, failures: queue.failures(key) });
    return 'error';
  }
}

/** A turn of an object that is to be had, or was. */
interface ReconcileTask {
  readonly key: string;
  readonly span: Span | undefined;
}

interface FailedReconcile extends ReconcileTask {
  readonly log: Log;
  readonly error: unknown;
}

/** By it the lines of one turn are found among those of others: 16 hexadecimal digits. */
function generateReconcileId(random: Random): string {
  const half = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}

/** Objects of a namespace take turns with those of others. */
const flowOf = ({ namespace = '' }: ObjectName): string => namespace;

/** Whether it was reached before the signal aborted. */
function settlesBeforeAbort(promise: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(false);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    promise
      .then(() => resolve(true), reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}
