import { resourceOf, type Kind } from '../kinds/kind.ts';
import type { ReflectorEvent, Outage } from '../watch/reflector-event.ts';
import type { Counter, Histogram, Instruments } from './instruments.ts';

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
    this.#count(
      instruments,
      'tenantry_cache_objects',
      'Objects in caches',
      ({ objects }) => objects,
    );
    this.#count(
      instruments,
      'tenantry_cache_unreadable_objects',
      'Objects that are nested too deep to be read; a cache has what was read of them before, if anything',
      ({ unreadable = 0 }) => unreadable,
    );
  }

  /** Records an event of a list or watch of a kind. */
  observe(happening: ReflectorEvent, kind: Kind): void {
    const resource = resourceOf(kind);
    // Start the counter at the first list, so that the first error counts as an increase.
    this.#cacheErrors.inc({ resource }, 0);
    if (happening.type === 'listed') {
      const { by, milliseconds } = happening;
      this.#listed.observe({ resource, by }, milliseconds / 1000);
    } else if (happening.type === 'ended') this.#ended.inc({ resource });
    else if (happening.type === 'failed') {
      const { during, cause, relists } = happening;
      this.#failed.inc({ resource, during, cause: cause.replaceAll(' ', '_') });
      if (relists) this.#relisted.inc({ resource });
    }
  }

  /** Counts an error of a projection, an index or a handler of a cache. */
  countCacheError(kind: Kind): void {
    this.#cacheErrors.inc({ resource: resourceOf(kind) });
  }

  /** Counts the objects of these caches at each scrape. Caches of one kind are added up. */
  countCaches(caches: () => Iterable<CacheSize>): void {
    this.#caches = caches;
  }

  /** Registers a gauge that adds up a value of the caches of each kind. */
  #count(
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
