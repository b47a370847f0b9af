import type * as prom from 'prom-client';
import type { Registry } from 'prom-client';
import { promClient } from '../packages/optional.cjs';

/** What makes metrics: a package that only who serves them needs. */
type PromClient = Omit<typeof prom, 'default'>;

type Labels<L extends string> = Readonly<Record<L, string>>;

/*
 * What is used of prom-client, in types of our own: those of a package that need not be installed would
 * be an error to a compiler that checks the declarations of its libraries.
 */

/** A `Registry` of prom-client. */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
}

export interface Counter<L extends string> {
  inc(labels: Labels<L>, value?: number): void;
}

export interface Gauge<L extends string> extends Counter<L> {
  dec(labels: Labels<L>, value?: number): void;
  set(labels: Labels<L>, value: number): void;
  reset(): void;
}

export interface Histogram<L extends string> {
  observe(labels: Labels<L>, value: number): void;
}

interface Described<L extends string> {
  readonly name: string;
  readonly help: string;
  /**
   * What they are told apart by. Each has few values, which the program knows: none is ever the name of
   * an object, which would make one series an object.
   */
  readonly labels: readonly L[];
}

/** Makes metrics in one registry. */
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

  counter<L extends string>({ name, help, labels }: Described<L>): Counter<L> {
    const registers = [this.#registry];
    return new this.#prom.Counter({ name, help, labelNames: labels, registers });
  }

  /** `collect` sets it whenever it is asked for. */
  gauge<L extends string>(
    { name, help, labels }: Described<L>,
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
    { name, help, labels }: Described<L>,
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
