import { systemClock, type Clock } from '../clock/clock.ts';
import type { TransportObserver } from '../connection/transport.ts';
import type { EventsObserver } from '../events/event.ts';
import { ControllerMetrics } from './controller-metrics.ts';
import { Instruments, type Counter, type MetricsRegistry } from './instruments.ts';
import { WatchMetrics } from './watch-metrics.ts';

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
  /** Creates further metrics. */
  readonly instruments: Instruments;
  /** Reconciles and queues. */
  readonly controllers: ControllerMetrics;
  /** Requests to the API server. */
  readonly requests: TransportObserver;
  /** Lists, watches and caches. */
  readonly watches: WatchMetrics;
  /** Written and lost events. */
  readonly events: EventsObserver;
  /** Unhandled rejections. */
  readonly rejections: Counter<never>;
  /** Sets whether this replica leads: `leads('shops', { isLeading: true })`, by the name of the lease. */
  readonly leads: (name: string, state: { readonly isLeading: boolean }) => void;

  private constructor(instruments: Instruments, clock: Clock) {
    this.registry = instruments.registry;
    this.instruments = instruments;
    this.controllers = new ControllerMetrics(instruments, clock);
    this.requests = requestMetrics(instruments);
    this.watches = new WatchMetrics(instruments);
    this.events = eventMetrics(instruments);
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

  /** Returns all metrics of the registry, in Prometheus' text format. */
  async page(): Promise<{ readonly contentType: string; readonly text: string }> {
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }
}

function requestMetrics(instruments: Instruments): TransportObserver {
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

function eventMetrics(instruments: Instruments): EventsObserver {
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
