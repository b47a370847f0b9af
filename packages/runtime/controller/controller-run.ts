import { restrictClient } from '../access/restricted-client.ts';
import type { Client } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import { isAborted, reactionTo } from '../errors/reaction.ts';
import { ApiError } from '../errors/api-error.ts';
import { keyOf, parseKey, resourceOf, type ObjectName } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import type { Instruments } from '../metrics/instruments.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import { Tracing, type Span } from '../tracing/tracing.ts';
import { WatchedCaches, type Caches, type ResourceOutage } from './caches.ts';
import { ControllerClient } from './controller-client.ts';
import { ControllerEvents, type EventReporting } from './controller-events.ts';
import { listDistinctKinds, type Controller } from './declaration.ts';
import { ObjectReconciler, type ReconcileOutcome } from './object-reconciler.ts';
import type { ControllerObserver, Outcome } from './observer.ts';
import { controllerUid } from './ownership.ts';
import { watchSources } from './sources.ts';

const optionalTimeout = 5_000;

/** Objects that existed at the start have a lower priority than changed ones. */
const initialPriority = -100;

interface ControllerDeps {
  readonly client: Client;
  readonly caches: Caches;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly observer?: ControllerObserver | undefined;
  readonly events?: EventReporting | undefined;
}

interface RunSignals {
  /** Requests a graceful stop: nothing new begins, and running reconciles finish. */
  readonly stop: AbortSignal;
  /** Forbids all further writes, whether reconciles have finished or not. */
  readonly cut: AbortSignal;
}

/**
 * A controller with its caches, which fill from its construction on. It can run several times, one after the other;
 * each run begins with all existing objects.
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
    // Added before the caches fill, because `children` needs the index.
    for (const { kind } of controller.owns) this.#caches.cacheFor(kind).index(controllerUid);
    this.#log = deps.log.with({ controller: controller.name });
  }

  get inWork(): ReadonlyMap<string, number> {
    return this.#queue?.inWork ?? new Map();
  }

  get unread(): readonly string[] {
    return this.#caches.unread;
  }

  get outages(): readonly ResourceOutage[] {
    return this.#caches.outages;
  }

  /** Lets the controller register its own metrics. */
  registerMetrics(instruments: Instruments): void {
    const cache = () => (this.#isRunning ? this.#caches.view : undefined);
    this.controller.metrics?.({ instruments, cache, clock: this.#deps.clock });
  }

  /**
   * Reconciles, once its caches are synced, until `stop` aborts and running reconciles have finished. Errors of
   * reconciles do not reject it. At the end, pending events are written.
   */
  async run({ stop, cut }: RunSignals): Promise<void> {
    if (!(await settlesBeforeAbort(this.#waitForCaches(stop), stop))) return;
    const { controller } = this;
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
    const log = this.#log;
    const events = new ControllerEvents({
      ...this.#deps.events,
      controller,
      client,
      clock,
      random,
      log,
      cut,
    });
    const reconciler = new ObjectReconciler({
      controller,
      client,
      caches: this.#caches,
      events,
      clock,
      signal: stop,
      paused: (key) => observer?.paused?.(controller.name, key),
      resumed: (key) => observer?.resumed?.(controller.name, key),
    });
    const unfollow = watchSources({
      controller,
      caches: this.#caches,
      add: (name, { isInitial }) =>
        queue.add(keyOf(name), {
          flow: chooseFlow(name),
          priority: isInitial ? initialPriority : 0,
        }),
      gone: (last) => reconciler.recordGone(last),
      failed: (error) => {
        log.error('a predicate or mapping failed', { error });
        observer?.handlerFailed?.(controller.name, error);
      },
    });
    const workers = Array.from({ length: controller.concurrency }, () =>
      this.#runWorker(queue, reconciler, { stop, cut }),
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

  close(): void {
    this.#caches.close();
  }

  /** Resolves when its caches are filled. For optional ones it waits only a while. */
  async #waitForCaches(stop: AbortSignal): Promise<void> {
    await this.#caches.waitUntilSynced();
    if (!this.controller.watches.some(({ isOptional }) => isOptional)) return;
    const enough = new AbortController();
    const { signal } = enough;
    const tooLong = this.#deps.clock.sleep(optionalTimeout, AbortSignal.any([stop, signal]));
    await Promise.race([this.#caches.waitForOptional(), tooLong.catch(() => undefined)]);
    enough.abort();
  }

  #createClient(cut: AbortSignal): ControllerClient {
    const { controller } = this;
    const { client, caches } = this.#deps;
    return new ControllerClient({
      client: restrictClient(client, controller.access, `controller ${controller.name}`),
      controller,
      caches,
      find: (kind, name) => this.#caches.find(kind, name),
      cut,
    });
  }

  async #runWorker(
    queue: WorkQueue,
    reconciler: ObjectReconciler,
    signals: RunSignals,
  ): Promise<void> {
    const { clock, observer } = this.#deps;
    const { name } = this.controller;
    for (let key; (key = await queue.take()) !== undefined; queue.done(key)) {
      const began = clock.now();
      observer?.began?.(name);
      const outcome = await this.#traceReconcile(key, (span) =>
        this.#reconcileKey(queue, reconciler, { key, span }, signals),
      );
      observer?.ended?.(name, outcome, clock.now() - began);
    }
  }

  /** Starts a trace for each reconcile, which includes its requests to the API server. */
  #traceReconcile(key: string, reconcile: (span?: Span) => Promise<Outcome>): Promise<Outcome> {
    if (!this.#tracing.isOn) return reconcile();
    const { name: controller, for: kind } = this.controller;
    const attributes = {
      'tenantry.controller': controller,
      'tenantry.resource': resourceOf(kind),
      'tenantry.object': key,
    };
    const props = { name: `reconcile ${controller}`, isRoot: true, attributes };
    return this.#tracing.withSpan(props, async (span) => {
      const outcome = await reconcile(span);
      span?.set({ 'tenantry.reconcile.result': outcome });
      return outcome;
    });
  }

  async #reconcileKey(
    queue: WorkQueue,
    reconciler: ObjectReconciler,
    { key, span }: ReconcileTask,
    signals: RunSignals,
  ): Promise<Outcome> {
    const name = parseKey(key);
    const reconcileID = generateReconcileId(this.#deps.random);
    const log = this.#log.with({ namespace: name.namespace, name: name.name, reconcileID });
    span?.set({ 'tenantry.reconcile.id': reconcileID });
    let reconciled: ReconcileOutcome;
    try {
      reconciled = await reconciler.reconcile(name, log);
    } catch (error) {
      return this.#handleFailure(queue, { key, span, log, error }, signals);
    }
    queue.forget(key);
    const after = reconciled.result.requeueAfter;
    if (after !== undefined) queue.add(key, { after, flow: chooseFlow(name) });
    return reconciled.outcome;
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
      log.info('the write was based on an outdated object, which is reconciled again', {
        error: api.message,
      });
      return 'conflict';
    }
    span?.fail(error);
    log.error('the reconcile failed', { error, failures: queue.failures(key) });
    return 'error';
  }
}

/** One reconcile of an object that exists or existed. */
interface ReconcileTask {
  readonly key: string;
  readonly span: Span | undefined;
}

interface FailedReconcile extends ReconcileTask {
  readonly log: Log;
  readonly error: unknown;
}

/** Returns an ID that identifies the log lines of one reconcile: 16 hexadecimal digits. */
function generateReconcileId(random: Random): string {
  const half = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}

/** The queue alternates between namespaces. */
const chooseFlow = ({ namespace = '' }: ObjectName): string => namespace;

/** Whether the promise settled before the signal aborted. */
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
