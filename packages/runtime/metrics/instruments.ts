import type * as prom from 'prom-client';
import type { Registry } from 'prom-client';
import { omitUndefined } from '@tenantry/kube/mapping';
import { promClient } from '../optional-packages/optional.cjs';

/** The package that creates metrics. Only programs that serve them need it. */
type PromClient = Omit<typeof prom, 'default'>;

/** The values of a metric's labels, by name. */
export type MetricLabels<L extends string> = Readonly<Record<L, string>>;

/**
 * The part of prom-client that is used, with types of its own. The types of a package that need not be installed would
 * be an error to a compiler that checks the declarations of libraries.
 */

/** A `Registry` of prom-client. */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** A counter, which never falls except at a restart. */
export interface Counter<L extends string> {
  inc(labels: MetricLabels<L>, value?: number): void;
}

/** A gauge, which rises and falls. */
export interface Gauge<L extends string> extends Counter<L> {
  dec(labels: MetricLabels<L>, value?: number): void;
  set(labels: MetricLabels<L>, value: number): void;
  reset(): void;
}

/** A histogram, which counts the observations in each of its buckets. */
export interface Histogram<L extends string> {
  observe(labels: MetricLabels<L>, value: number): void;
}

/** The name and description of a metric. */
export interface MetricProps<L extends string> {
  readonly name: string;
  readonly help: string;
  /**
   * The names of labels. Each has few values that the program knows. None may be the name of an object, which would
   * cause one series per object.
   */
  readonly labels: readonly L[];
}

/**
 * Creates metrics in one registry. Controllers get it to register their own.
 *
 * @example
 * ```ts
 * import { controller, core, done } from '@tenantry/runtime';
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
   * @throws {Error} if the package is not installed, with the command that installs it in the message. Also if the
   * registry is not one of the installed package.
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

  /** Creates a gauge. `collect` sets its value at each scrape. */
  gauge<L extends string>(
    { name, help, labels }: MetricProps<L>,
    collect?: (gauge: Gauge<L>) => void,
  ): Gauge<L> {
    const registers = [this.#registry];
    const gauge: Gauge<L> = new this.#prom.Gauge(
      omitUndefined({
        name,
        help,
        labelNames: labels,
        registers,
        collect: collect ? () => collect(gauge) : undefined,
      }),
    );
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

  /** Creates metrics of processor time, memory and the event loop: `process_*` and `nodejs_*`. */
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
