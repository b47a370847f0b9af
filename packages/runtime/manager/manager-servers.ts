import type { Clock } from '../clock/clock.ts';
import type { ControllerRun } from '../controller/controller-run.ts';
import { HealthServer, PublicProblem, type HealthCheck } from '../health/health-server.ts';
import type { Log } from '../log/log.ts';
import type { Runnable } from './tasks.ts';
import type { CertificateSource } from '../certificates/key-pair.ts';
import { ScrapeAccess } from '../metrics/scrape-access.ts';
import type { MetricsRegistry } from '../metrics/instruments.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { MetricsServer } from '../metrics/metrics-server.ts';
import type { Client } from '../client/client.ts';
import type { LeaderElection } from '../leader/leader-election.ts';

/** Milliseconds for which lists and watches of a kind may fail before the replica is not ready. */
const maxOutage = 60_000;

/** How probes are answered. */
export interface ManagerHealthProps {
  /** @default 8081 */
  readonly port?: number | undefined;
  /** @default - all addresses of the machine, including IPv6 */
  readonly host?: string | undefined;
  /** Milliseconds after which a reconcile counts as stuck. @default 3,600,000 */
  readonly longestReconcile?: number | undefined;
  /**
   * Whether a replica stays ready while a required kind cannot be listed or watched. With false, the check `watches` of
   * /readyz fails after a minute of that. Use false only for operators without webhooks, which an outage would make
   * unavailable too.
   * @default true
   */
  readonly isReadyInOutages?: boolean | undefined;
  /** Checks of /livez in addition to `event-loop` and `reconciles`. @default - none */
  readonly live?: readonly HealthCheck[] | undefined;
  /** Checks of /readyz in addition to `caches`. @default - none */
  readonly ready?: readonly HealthCheck[] | undefined;
}

/**
 * Creates the probes of a manager. It is alive while its event loop progresses and its reconciles end, whatever the
 * state of the API server. It is ready once its caches have read all existing objects; with `isReadyInOutages: false`,
 * only while each required kind can be listed and watched.
 */
export function createManagerHealth(
  props: ManagerHealthProps,
  runs: readonly Pick<ControllerRun, 'controller' | 'inWork' | 'unread' | 'outages'>[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Runnable {
  const { port, host, longestReconcile = 3_600_000, live = [], ready = [] } = props;
  const { isReadyInOutages = true } = props;
  const watches = isReadyInOutages ? [] : [createWatchesCheck(runs)];
  const stalled = (milliseconds: number): void =>
    log.warn('the event loop was blocked', { milliseconds });
  const loop = new EventLoopMonitor({ clock, stalled });
  const reconciles = createStuckWorkCheck('reconciles', longestReconcile, () =>
    runs.flatMap(({ controller, inWork }) =>
      [...inWork].map(
        ([key, milliseconds]) => [`${controller.name}: ${key}`, milliseconds] as const,
      ),
    ),
  );
  const server = new HealthServer({
    port,
    host,
    live: [loop, reconciles, ...live],
    ready: [createCachesCheck(runs), ...watches, ...ready],
    clock,
    log,
  });
  return {
    name: server.name,
    run: async (signal) => void (await Promise.all([server.run(signal), loop.run(signal)])),
  };
}

type Reading = readonly Pick<ControllerRun, 'unread' | 'outages'>[];

function createCachesCheck(runs: Reading): HealthCheck {
  return {
    name: 'caches',
    check: () => failIfAny('not read yet', new Set(runs.flatMap(({ unread }) => unread))),
  };
}

/** A short outage of the API server makes no replica unready. */
function createWatchesCheck(runs: Reading): HealthCheck {
  return {
    name: 'watches',
    check: () => {
      const lasting = runs
        .flatMap(({ outages }) => outages)
        .filter(({ outage: { since, until } }) => until - since >= maxOutage);
      const causes = lasting.map(({ resource, outage }) => `${resource} (${outage.cause})`);
      failIfAny('not listed or watched', new Set(causes));
    },
  };
}

function failIfAny(what: string, names: ReadonlySet<string>): void {
  if (names.size > 0) throw new PublicProblem(`${what}: ${[...names].toSorted().join(', ')}`);
}

/**
 * Creates a check that fails while a piece of work takes longer than so many milliseconds: a reconcile that never ends.
 * `inWork` returns how long each one has taken so far.
 */
export function createStuckWorkCheck(
  name: string,
  longest: number,
  inWork: () => Iterable<readonly [key: string, milliseconds: number]>,
): HealthCheck {
  return {
    name,
    check() {
      for (const [key, milliseconds] of inWork()) {
        if (milliseconds <= longest) continue;
        throw new Error(`${key} must end within ${longest} ms, got ${Math.round(milliseconds)} ms`);
      }
    },
  };
}

interface EventLoopMonitorProps {
  readonly clock: Clock;
  /** The most milliseconds of the last minute for which the event loop may be blocked. @default 30,000 */
  readonly longest?: number | undefined;
  /** Called when the loop was blocked for so many milliseconds, a second or more. It must not throw. */
  readonly stalled?: ((milliseconds: number) => void) | undefined;
}

const checkInterval = 1000;
const observedPeriod = 60_000;

/**
 * Detects with a timer, afterwards, that the event loop was blocked. A completely blocked loop answers no probe, which
 * the kubelet treats as a failure. This check is for one that barely progresses and still happens to answer.
 */
export class EventLoopMonitor implements HealthCheck {
  readonly name = 'event-loop';
  readonly #props: EventLoopMonitorProps;
  #stalls: { readonly end: number; readonly milliseconds: number }[] = [];

  constructor(props: EventLoopMonitorProps) {
    this.#props = props;
  }

  /** Monitors the loop until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, stalled } = this.#props;
    while (!signal.aborted) {
      const due = clock.now() + checkInterval;
      await clock.sleep(checkInterval, signal).catch(() => {});
      const milliseconds = clock.now() - due;
      if (milliseconds < checkInterval) continue;
      this.#stalls.push({ end: clock.now(), milliseconds });
      stalled?.(milliseconds);
    }
  }

  check(): void {
    const { clock, longest = 30_000 } = this.#props;
    const begin = clock.now() - observedPeriod;
    this.#stalls = this.#stalls.filter(({ end }) => end > begin);
    const sum = this.#stalls.reduce(
      (sum, { end, milliseconds }) => sum + Math.min(milliseconds, end - begin),
      0,
    );
    if (sum <= longest) return;
    throw new Error(
      `of the last ${observedPeriod} ms the event loop must stand still for at most ${longest}, got ${Math.round(sum)}`,
    );
  }
}

/** Which metrics a manager serves, and how. */
export interface ManagerMetricsProps {
  /** The registry for all metrics, including your own: a `Registry` of prom-client. @default - a new one */
  readonly registry?: MetricsRegistry | undefined;
  /** Also export metrics of the process and of Node: `process_*`, `nodejs_*`. @default true */
  readonly ofProcess?: boolean | undefined;
  /** @default - all addresses of the machine */
  readonly host?: string | undefined;
  /** 0 takes any free port. @default 8080 */
  readonly port?: number | undefined;
  /** The certificate for HTTPS, which is kept up to date elsewhere (`run`). @default - plain HTTP */
  readonly certificate?: Pick<CertificateSource, 'current' | 'onChange'> | undefined;
  /**
   * Serves metrics only to callers that RBAC allows to `get` the nonResourceURL /metrics. The manager's access then
   * includes the reviews that check it. Requires a certificate.
   * @default false: everybody who can reach the port may read them
   */
  readonly isProtected?: boolean | undefined;
}

interface ManagerMetricsDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the server for a manager's metrics. */
export function createMetricsServer(
  metrics: Metrics,
  { host, port, certificate, isProtected = false }: ManagerMetricsProps,
  { client, clock, log }: ManagerMetricsDeps,
): MetricsServer {
  const access = isProtected ? new ScrapeAccess({ client, clock }) : undefined;
  return new MetricsServer({ metrics, host, port, certificate, access, clock, log });
}

/** Returns the election with a metric of whether this replica leads. */
export function withLeaderMetric(
  election: LeaderElection,
  { leads }: Pick<Metrics, 'leads'>,
): LeaderElection {
  const { name = 'leader' } = election;
  leads(name, { isLeading: false });
  return {
    name,
    isLeading: () => election.isLeading(),
    run: (lead, signal) =>
      election.run(async (leading) => {
        leads(name, { isLeading: true });
        leading.addEventListener('abort', () => leads(name, { isLeading: false }), { once: true });
        await lead(leading).finally(() => leads(name, { isLeading: false }));
      }, signal),
  };
}
