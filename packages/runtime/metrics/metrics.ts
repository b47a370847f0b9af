import { systemClock, type Clock } from '../clock/clock.ts';
import type { TransportObserver } from '../connection/transport.ts';
import type { EventsObserver } from '../events/event.ts';
import { ControllerMetrics } from './controller-metrics.ts';
import { Instruments, type Counter, type MetricsRegistry, type Histogram } from './instruments.ts';
import { resourceOf, type Kind } from '../kinds/kind.ts';
import type { Outage } from '../watch/failures.ts';
import type { ReflectorEvent } from '../watch/options.ts';

/** Seconds, as in the components of Kubernetes. */
const requestBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

interface MetricsProps {
  /** The registry for all metrics, including your own: a `Registry` of prom-client. @default - a new one */
  readonly registry?: MetricsRegistry | undefined;
  /** Also export metrics of the process and of Node: `process_*`, `nodejs_*`. @default true */
  readonly ofProcess?: boolean | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * The metrics of an operator for Prometheus, with controller-runtime's names where it has them, otherwise with the
 * prefix `tenantry_`. It contains the observers through which the runtime reports.
 *
 * No label value is the name of an object, so the number of series depends on the program and not on the cluster.
 */
export class Metrics {
  readonly registry: MetricsRegistry;
  readonly instruments: Instruments;
  /** Reconciles and queues. */
  readonly controllers: ControllerMetrics;
  /** Requests to the API server. */
  readonly requests: TransportObserver;
  /** Lists, watches and caches. */
  readonly watches: WatchMetrics;
  /** Written and lost events. */
  readonly events: EventsObserver;
  readonly rejections: Counter<never>;
  /** Sets whether this replica leads: `leads('shops', { isLeading: true })`, by the name of the lease. */
  readonly leads: (name: string, state: { readonly isLeading: boolean }) => void;

  private constructor(instruments: Instruments, clock: Clock) {
    this.registry = instruments.registry;
    this.instruments = instruments;
    this.controllers = new ControllerMetrics(instruments, clock);
    this.requests = createRequestObserver(instruments);
    this.watches = new WatchMetrics(instruments);
    this.events = createEventsObserver(instruments);
    this.rejections = instruments.counter({
      name: 'tenantry_unhandled_rejections_total',
      help: 'Promises that were rejected while nobody waited for them, as of a reconcile without await',
      labels: [],
    });
    const leader = instruments.gauge({
      name: 'leader_election_master_status',
      help: 'Whether this replica leads, by the name of the lease: 1 or 0',
      labels: ['name'],
    });
    this.leads = (name, { isLeading }) => leader.set({ name }, isLeading ? 1 : 0);
  }

  /**
   * @throws {Error} if the package prom-client is not installed, or the registry is not one of it or has metrics of
   * these names already
   */
  static async create(props: MetricsProps = {}): Promise<Metrics> {
    const { registry, ofProcess = true, clock = systemClock } = props;
    const instruments = await Instruments.load(registry);
    const metrics = new Metrics(instruments, clock);
    if (ofProcess) instruments.ofProcess();
    return metrics;
  }

  async page(): Promise<{ readonly contentType: string; readonly text: string }> {
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }
}

function createRequestObserver(instruments: Instruments): TransportObserver {
  const total = instruments.counter({
    name: 'rest_client_requests_total',
    help: 'Requests to the API server, by the status of the answer, or <error> without one',
    labels: ['code', 'method', 'host'],
  });
  const duration = instruments.histogram(
    {
      name: 'rest_client_request_duration_seconds',
      help: 'How long the API server took until the head of its answer',
      labels: ['verb', 'host'],
    },
    requestBuckets,
  );
  const warnings = instruments.counter({
    name: 'tenantry_client_warnings_total',
    help: 'Warnings that the API server sent with its answers, as of deprecated versions',
    labels: [],
  });
  return {
    requested: ({ method, host, code, milliseconds }) => {
      total.inc({ code, method, host });
      duration.observe({ verb: method, host }, milliseconds / 1000);
    },
    warned: () => warnings.inc({}),
  };
}

function createEventsObserver(instruments: Instruments): EventsObserver {
  const written = instruments.counter({
    name: 'tenantry_events_written_total',
    help: 'Writes of events: created, or counted in a series',
    labels: ['how'],
  });
  const lost = instruments.counter({
    name: 'tenantry_events_lost_total',
    help: 'Lost events, by cause',
    labels: ['cause'],
  });
  return {
    written: (how) => written.inc({ how }),
    lost: ({ cause }) => lost.inc({ cause }),
  };
}

/** Seconds. */
const buckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

/** The number of objects in a cache of a kind, and since when it is not up to date. */
interface CacheSize {
  readonly kind: Kind;
  readonly objects: number;
  /** Objects of which only the existence is known. @default 0 */
  readonly unreadable?: number | undefined;
  readonly outage?: Outage | undefined;
}

/** The metrics of lists, watches and caches; `resource` is `pods` or `deployments.apps`. */
export class WatchMetrics {
  readonly #listed: Histogram<'resource' | 'by'>;
  readonly #ended: Counter<'resource'>;
  readonly #failed: Counter<'resource' | 'during' | 'cause'>;
  readonly #relisted: Counter<'resource'>;
  readonly #cacheErrors: Counter<'resource'>;
  #caches: () => Iterable<CacheSize> = () => [];

  constructor(instruments: Instruments) {
    this.#listed = instruments.histogram(
      {
        name: 'tenantry_watch_list_duration_seconds',
        help: 'How long it took to read all objects of a kind, by a stream or in pages',
        labels: ['resource', 'by'],
      },
      buckets,
    );
    this.#ended = instruments.counter({
      name: 'tenantry_watch_ends_total',
      help: 'Watches that the server ended in good order, as it does after some minutes',
      labels: ['resource'],
    });
    this.#failed = instruments.counter({
      name: 'tenantry_watch_failures_total',
      help: 'Lists and watches that failed, by cause; quiet is a watch without an event for too long',
      labels: ['resource', 'during', 'cause'],
    });
    this.#relisted = instruments.counter({
      name: 'tenantry_watch_relists_total',
      help: 'Failed watches after which all objects are read again',
      labels: ['resource'],
    });
    instruments.gauge(
      {
        name: 'tenantry_watch_outage_seconds',
        help: 'For how long lists and watches of a kind have failed, from the first failure to the last; there is no series while the kind is read',
        labels: ['resource', 'cause'],
      },
      (gauge) => {
        gauge.reset();
        for (const { kind, outage } of this.#caches()) {
          if (!outage) continue;
          const cause = outage.cause.replaceAll(' ', '_');
          const seconds = (outage.until - outage.since) / 1000;
          gauge.set({ resource: resourceOf(kind), cause }, seconds);
        }
      },
    );
    this.#cacheErrors = instruments.counter({
      name: 'tenantry_cache_errors_total',
      help: 'Objects that a cache could not process, because a projection, an index or a handler threw',
      labels: ['resource'],
    });
    this.#registerGauge(
      instruments,
      'tenantry_cache_objects',
      'Objects in caches',
      ({ objects }) => objects,
    );
    this.#registerGauge(
      instruments,
      'tenantry_cache_unreadable_objects',
      'Objects that are nested too deep to be read; a cache has what was read of them before, if anything',
      ({ unreadable = 0 }) => unreadable,
    );
  }

  /** Records an event of a list or watch of a kind. */
  observe(event: ReflectorEvent, kind: Kind): void {
    const resource = resourceOf(kind);
    // Start the counter at the first list, so that the first error counts as an increase.
    this.#cacheErrors.inc({ resource }, 0);
    if (event.type === 'listed') {
      const { by, milliseconds } = event;
      this.#listed.observe({ resource, by }, milliseconds / 1000);
    } else if (event.type === 'ended') this.#ended.inc({ resource });
    else if (event.type === 'failed') {
      const { during, cause, relists } = event;
      this.#failed.inc({ resource, during, cause: cause.replaceAll(' ', '_') });
      if (relists) this.#relisted.inc({ resource });
    }
  }

  countCacheError(kind: Kind): void {
    this.#cacheErrors.inc({ resource: resourceOf(kind) });
  }

  /** Counts the objects of these caches at each scrape. Caches of one kind are added up. */
  countCaches(caches: () => Iterable<CacheSize>): void {
    this.#caches = caches;
  }

  #registerGauge(
    instruments: Instruments,
    name: string,
    help: string,
    of: (size: CacheSize) => number,
  ): void {
    instruments.gauge({ name, help, labels: ['resource'] }, (gauge) => {
      gauge.reset();
      for (const size of this.#caches()) gauge.inc({ resource: resourceOf(size.kind) }, of(size));
    });
  }
}
