import type * as prom from 'prom-client';
import type { Registry } from 'prom-client';
import { promClient } from '../packages/optional.cjs';

/** What makes metrics: a package that only who serves them needs. */
type PromClient = Omit<typeof prom, 'default'>;

/** The values of a metric's labels, by their names. */
export type MetricLabels<L extends string> = Readonly<Record<L, string>>;

/*
 * What is used of prom-client, in types of our own: those of a package that need not be installed would
 * be an error to a compiler that checks the declarations of its libraries.
 */

/** A `Registry` of prom-client. */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Counts what happens: it never falls, but at a restart. */
export interface Counter<L extends string> {
  inc(labels: MetricLabels<L>, value?: number): void;
}

/** Tells how much there is: it rises and falls. */
export interface Gauge<L extends string> extends Counter<L> {
  dec(labels: MetricLabels<L>, value?: number): void;
  set(labels: MetricLabels<L>, value: number): void;
  reset(): void;
}

/** Tells how often what is measured was within each of its buckets. */
export interface Histogram<L extends string> {
  observe(labels: MetricLabels<L>, value: number): void;
}

/** What a metric is called, and what it says. */
export interface MetricProps<L extends string> {
  readonly name: string;
  readonly help: string;
  /**
   * What they are told apart by. Each has few values, which the program knows: none is ever the name of
   * an object, which would make one series an object.
   */
  readonly labels: readonly L[];
}

/**
 * Makes metrics in one registry: a controller gets them for its own.
 *
 * @example
 * ```ts
 * import { controller, core, done } from 'tenantry/runtime';
 *
 * export const namespaces = controller({
 *   name: 'namespaces',
 *   for: core.Namespace,
 *   metrics({ instruments, cache }) {
 *     const gauge = { name: 'shop_namespaces', help: 'Namespaces by phase.', labels: ['phase'] };
 *     instruments.gauge(gauge, (namespaces) => {
 *       namespaces.reset();
 *       for (const { status } of cache()?.list(core.Namespace) ?? []) {
 *         namespaces.inc({ phase: status?.phase ?? 'Active' });
 *       }
 *     });
 *   },
 *   reconcile: async () => done,
 * });
 * console.log(namespaces.metrics !== undefined); // true
 * ```
 */
export class Instruments {
  readonly #registry: Registry;
  readonly #prom: PromClient;

  private constructor(prom: PromClient, registry: Registry) {
    this.#prom = prom;
    this.#registry = registry;
  }

  /**
   * @throws {Error} where the package is not installed, and the message says how it is; or where the
   * registry is none of the package that is installed here
   */
  static async load(registry?: MetricsRegistry): Promise<Instruments> {
    const prom = await load();
    const own = registry ?? new prom.Registry();
    if (own instanceof prom.Registry) return new Instruments(prom, own);
    throw new Error('registry must be a Registry of the prom-client that Tenantry finds');
  }

  get registry(): MetricsRegistry {
    return this.#registry;
  }

  counter<L extends string>({ name, help, labels }: MetricProps<L>): Counter<L> {
    const registers = [this.#registry];
    return new this.#prom.Counter({ name, help, labelNames: labels, registers });
  }

  /** `collect` sets it whenever it is asked for. */
  gauge<L extends string>(
    { name, help, labels }: MetricProps<L>,
    collect?: (gauge: Gauge<L>) => void,
  ): Gauge<L> {
    const registers = [this.#registry];
    const gauge: Gauge<L> = new this.#prom.Gauge({
      name,
      help,
      labelNames: labels,
      registers,
      ...(collect && { collect: () => collect(gauge) }),
    });
    return gauge;
  }

  histogram<L extends string>(
    { name, help, labels }: MetricProps<L>,
    buckets: readonly number[],
  ): Histogram<L> {
    const registers = [this.#registry];
    return new this.#prom.Histogram({
      name,
      help,
      labelNames: labels,
      registers,
      buckets: [...buckets],
    });
  }

  /** Processor time, memory, the event loop: `process_*` and `nodejs_*`. */
  ofProcess(): void {
    this.#prom.collectDefaultMetrics({ register: this.#registry });
  }
}

async function load(): Promise<PromClient> {
  try {
    return await promClient();
  } catch (cause) {
    const install = 'npm install prom-client@^15.1.0';
    const message = `metrics can be served when a package is installed: ${install}`;
    throw new Error(message, { cause });
  }
}
