import type { AccessRule } from '@tenantry/kube/access';
import type { Client } from '../client/client.ts';
import { waitForAbort, systemClock, type Clock, type Random } from '../clock/clock.ts';
import type { Connection } from '../connection/connection.ts';
import { ControllerRun } from '../controller/controller-run.ts';
import type { Controller } from '../controller/declaration.ts';
import { combineObservers, type ControllerObserver } from '../controller/observer.ts';
import type { ElectionDeps } from '../leader/election.ts';
import { createFencedClient, alwaysLeads, type LeaderElection } from '../leader/leader-election.ts';
import { toggleDebugOnSignal, jsonLog, type JsonLog, type Log } from '../log/log.ts';
import { checkControllers } from '../controller/controller.ts';
import { Metrics } from '../metrics/metrics.ts';
import { scrapeAccess } from '../metrics/scrape-access.ts';
import {
  withLeaderMetric,
  createMetricsServer,
  type ManagerMetricsProps,
  createManagerHealth,
  type ManagerHealthProps,
} from './manager-servers.ts';
import { Shutdown, Tasks, listenForTermination, handleRejections, type Runnable } from './tasks.ts';
import { openCluster, type OpenCluster } from './open-cluster.ts';

/** The dependencies of a leader election. */
export interface LeaderDeps extends ElectionDeps {
  readonly client: Client;
}

/** The dependencies of a condition reporter. */
export interface ConditionReporterDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Reports conditions of an operator to OLM. */
export interface ConditionReporter {
  /** Reports until the signal aborts. */
  run(deps: ConditionReporterDeps, signal: AbortSignal): Promise<void>;
}

/** What a manager runs, and how. */
export interface ManagerProps {
  /** @default - none */
  readonly controllers?: readonly Controller[] | undefined;
  /** Work beside the controllers. @default - none */
  readonly runnables?: readonly Runnable[] | undefined;
  /** @default - over the `connection`; a given client stays open */
  readonly client?: Client | undefined;
  /**
   * The connection of the manager's own client.
   * @default - `connectionFrom()`: KUBECONFIG, the cluster of the pod, or ~/.kube/config
   */
  readonly connection?: Connection | undefined;
  /**
   * Elects the replica that runs the controllers; they start no write unless this replica surely leads. A function gets
   * the manager's own client, clock and log:
   *
   *     leaderElection: (deps) => leaseElection({ ...deps, lease: { name: 'shops', namespace: 'shops' } })
   *
   * @default - leads at once and forever: only for a single replica
   */
  readonly leaderElection?: LeaderElection | ((deps: LeaderDeps) => LeaderElection) | undefined;
  /** What this replica reports to OLM while it leads. @default - nothing */
  readonly operatorConditions?: ConditionReporter | undefined;
  /** Answers probes; `{}` for all defaults. @default - no probes are answered */
  readonly health?: ManagerHealthProps | undefined;
  /**
   * Serves metrics for Prometheus, with the package prom-client; `{}` for all defaults. Requests are counted only if
   * the manager creates its own client.
   * @default - no metrics
   */
  readonly metrics?: ManagerMetricsProps | undefined;
  /**
   * The most milliseconds of a shutdown: less than the `terminationGracePeriodSeconds` of the pod. After nine tenths of
   * it nothing is written any more.
   * @default 30,000
   */
  readonly gracefulStop?: number | undefined;
  /** @default - JSON lines to standard error, from info on; SIGUSR2 turns debug on and off */
  readonly log?: Log | undefined;
  /** @default - none */
  readonly observer?: ControllerObserver | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

/**
 * Runs controllers in one process and shares a client and caches between them. Caches fill from the start; controllers
 * run while this replica leads.
 *
 * @example
 * ```ts
 * import { controller, core, done, jsonLog, Manager, systemClock } from '@tenantry/runtime';
 *
 * const namespaces = controller({
 *   name: 'namespaces',
 *   for: core.Namespace,
 *   reconcile: async ({ log }) => {
 *     log.info('here it is');
 *     return done;
 *   },
 * });
 * const log = jsonLog({ clock: systemClock, level: 'debug' });
 * const manager = new Manager({ controllers: [namespaces], log });
 * console.log(manager.access[0]?.verbs); // [ 'list', 'watch' ]
 *
 * // Until the process gets SIGTERM.
 * export const main = (): Promise<void> => manager.run();
 * ```
 */
export class Manager {
  readonly #props: ManagerProps;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #ownLog: JsonLog | undefined;
  #hasRun = false;
  #metrics: Metrics | undefined;

  /** @throws {Error} if controllers could be confused with each other */
  constructor(props: ManagerProps) {
    const { controllers = [], clock = systemClock, gracefulStop = 30_000 } = props;
    checkControllers(controllers);
    if (!(gracefulStop > 0 && Number.isFinite(gracefulStop))) {
      throw new RangeError(`gracefulStop must be milliseconds above 0, got ${gracefulStop}`);
    }
    this.#props = props;
    this.#clock = clock;
    if (props.log) this.#log = props.log;
    else this.#log = this.#ownLog = jsonLog({ clock });
  }

  /** The access of its controllers and of the manager itself: the roles of its ServiceAccount. */
  get access(): readonly AccessRule[] {
    const ofControllers = this.#controllers.flatMap(({ access }) => access);
    return this.#props.metrics?.isProtected ? [...ofControllers, ...scrapeAccess] : ofControllers;
  }

  /**
   * Runs until the signal aborts, then shuts down in order: controllers finish running reconciles, the lease is
   * released, runnables end, and finally the caches. It also ends once all runnables have, if there is no controller.
   *
   * Rejects, after everything has ended, with the first error of a runnable, of the leader election or of the runtime.
   * If that takes longer than `gracefulStop`, it rejects with what still runs. May be called once.
   *
   * Without a signal, the manager owns the process. An unhandled rejection, for example in a reconcile without `await`,
   * is then logged and counted, and does not end it.
   *
   * @param signal Default: aborts at SIGTERM and SIGINT
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.#hasRun) throw new Error('a manager must be run once: make another one');
    this.#hasRun = true;
    const termination = signal ? undefined : listenForTermination();
    const stopSignal = signal ?? termination?.signal;
    const shutdown = new Shutdown(this.#clock, this.#props.gracefulStop ?? 30_000);
    const begin = (): void => shutdown.begin(stopSignal?.reason);
    const endSignals = this.#ownLog && toggleDebugOnSignal(this.#ownLog);
    const rejections = signal ? undefined : handleRejections((error) => this.#logRejection(error));
    try {
      if (stopSignal?.aborted) return;
      stopSignal?.addEventListener('abort', begin, { once: true });
      await this.#runUntil(shutdown);
    } finally {
      stopSignal?.removeEventListener('abort', begin);
      shutdown.end();
      termination?.end();
      rejections?.end();
      endSignals?.();
    }
  }

  #logRejection(error: unknown): void {
    this.#log.error('a promise was rejected, and nobody waits for it', { error });
    this.#metrics?.rejections.inc({});
  }

  get #controllers(): readonly Controller[] {
    return this.#props.controllers ?? [];
  }

  #createElection(deps: LeaderDeps, metrics: Metrics | undefined): LeaderElection {
    const { leaderElection } = this.#props;
    if (!leaderElection) return alwaysLeads;
    const election = typeof leaderElection === 'function' ? leaderElection(deps) : leaderElection;
    return metrics ? withLeaderMetric(election, metrics) : election;
  }

  /** Builds the runnables: the given ones, the servers of health and metrics, and the reporter to OLM. */
  #buildRunnables(
    runs: readonly ControllerRun[],
    { client, fenced }: { readonly client: Client; readonly fenced: Client },
    metrics: Metrics | undefined,
  ): readonly Runnable[] {
    const { runnables = [], health, operatorConditions, random = Math.random } = this.#props;
    const deps = { client, clock: this.#clock, log: this.#log };
    const olmDeps = { ...deps, client: fenced, random };
    return [
      ...(operatorConditions ? [createOlmReporter(operatorConditions, olmDeps)] : []),
      ...(health ? [createManagerHealth(health, runs, deps)] : []),
      ...(metrics ? [createMetricsServer(metrics, this.#props.metrics ?? {}, deps)] : []),
      ...runnables,
    ];
  }

  async #createMetrics(): Promise<Metrics | undefined> {
    const { metrics: props } = this.#props;
    if (!props) return undefined;
    const metrics = await Metrics.create({ ...props, clock: this.#clock });
    for (const { name, concurrency } of this.#controllers) {
      metrics.controllers.declare(name, concurrency);
    }
    return metrics;
  }

  async #runUntil(shutdown: Shutdown): Promise<void> {
    const clock = this.#clock;
    const log = this.#log;
    const { random = Math.random, client: given, connection } = this.#props;
    const metrics = (this.#metrics = await this.#createMetrics());
    const cluster = await openCluster({ client: given, connection, clock, random, log, metrics });
    const election = this.#createElection({ client: cluster.client, clock, random, log }, metrics);
    const observer = combineObservers([metrics?.controllers, this.#props.observer]);
    const client = createFencedClient(cluster.client, election);
    const events = { observer: metrics?.events };
    const deps = { client, caches: cluster.caches, clock, random, log, observer, events };
    const runs = this.#controllers.map((controller) => new ControllerRun(controller, deps));
    const tasks = new Tasks(shutdown, log);
    try {
      if (metrics) for (const run of runs) run.registerMetrics(metrics.instruments);
      const clients = { client: cluster.client, fenced: client };
      const runnables = this.#buildRunnables(runs, clients, metrics);
      const ended = this.#runInOrder(runs, runnables, election, cluster, tasks, shutdown);
      const isEnded = await Promise.race([ended.then(() => true), shutdown.overdue]);
      if (!isEnded) this.#reportStillRunning(tasks, shutdown);
    } finally {
      cluster.close();
    }
    if (shutdown.failure) throw shutdown.failure.error;
    log.info('the manager has stopped');
  }

  /** Resolves when everything has ended: led work first, what it depends on last. */
  async #runInOrder(
    runs: readonly ControllerRun[],
    runnables: readonly Runnable[],
    election: LeaderElection,
    cluster: OpenCluster,
    tasks: Tasks,
    shutdown: Shutdown,
  ): Promise<void> {
    const others = new AbortController();
    const caches = new AbortController();
    const { stop, cut } = shutdown;
    const besideUntil = AbortSignal.any([others.signal, cut]);
    const cachesUntil = AbortSignal.any([caches.signal, cut]);
    const start = (runnable: Runnable, signal: AbortSignal): Promise<void> =>
      tasks.start(`runnable ${runnable.name}`, signal, () => runnable.run(signal));
    const filled = tasks.start('caches', cachesUntil, () => cluster.run(cachesUntil));
    const beside = runnables.filter(({ needsLeadership }) => !needsLeadership);
    const besides = Promise.all(beside.map((runnable) => start(runnable, besideUntil)));
    const leaders = runnables.filter(({ needsLeadership }) => needsLeadership);
    const lead = async (leading: AbortSignal): Promise<void> => {
      if (this.#props.leaderElection) this.#log.info('this replica leads');
      const signals = {
        stop: AbortSignal.any([stop, leading]),
        cut: AbortSignal.any([cut, leading]),
      };
      await Promise.all([
        ...runs.map((run) => startController(tasks, run, signals)),
        ...leaders.map((runnable) => start(runnable, signals.stop)),
      ]);
      if (leading.aborted) this.#log.warn('this replica does not lead any more');
    };
    if (runs.length + leaders.length > 0) {
      await tasks.start('leader election', stop, () => election.run(lead, stop));
      if (runs.length > 0 && !stop.aborted) {
        shutdown.fail(new Error('the leader election must run until it is stopped, got its end'));
      }
    }
    await Promise.race([besides, waitForAbort(stop)]);
    others.abort(stop.reason);
    await besides;
    caches.abort(stop.reason);
    await filled;
  }

  /** @throws {Error} with what still runs, unless it ends with another error */
  #reportStillRunning(tasks: Tasks, shutdown: Shutdown): void {
    const { gracefulStop = 30_000 } = this.#props;
    const { running } = tasks;
    const late = new Error(
      `everything must end within ${gracefulStop / 1000} s, but these still run: ${running.join('; ')}`,
    );
    this.#log.error('not everything has ended in time', { running });
    if (!shutdown.failure) throw late;
  }
}

function createOlmReporter(conditions: ConditionReporter, deps: ConditionReporterDeps): Runnable {
  const run = (signal: AbortSignal): Promise<void> => conditions.run(deps, signal);
  return { name: 'conditions for OLM', needsLeadership: true, run };
}

function startController(
  tasks: Tasks,
  run: ControllerRun,
  signals: { readonly stop: AbortSignal; readonly cut: AbortSignal },
): Promise<void> {
  const details = (): string => {
    const keys = [...run.inWork].map(([key, worked]) => `${key} for ${worked / 1000} s`);
    return keys.length > 0 ? ` (${keys.join(', ')})` : '';
  };
  const name = `controller ${run.controller.name}`;
  return tasks.start(name, signals.stop, () => run.run(signals), details);
}
