import { Registry } from 'prom-client';
import { Tenant } from '../../../operator/cluster/kinds.ts';
import { registerRequestMetrics } from '../../../operator/break-glass/request-metrics.ts';
import { TenantMetrics } from '../../../operator/metrics/tenant-metrics.ts';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import { controller } from '@tenantry/runtime/controller/controller';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import { done } from '@tenantry/runtime/controller/context';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { Metrics } from '@tenantry/runtime/metrics/metrics';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { samplesOf } from '@tenantry/runtime/test/metrics/scraped';

/** Existing objects, in place of caches. */
export const viewOf = (objects: readonly Live[]): CacheView => ({
  get: (kind, { name, namespace }) =>
    objects.find(
      (one) =>
        one.kind === kind.kind &&
        one.metadata.name === name &&
        one.metadata.namespace === namespace,
    ) as never,
  list: (kind) => objects.filter((one) => one.kind === kind.kind) as never,
  isRead: () => true,
  outageOf: () => undefined,
  unreadableOf: () => [],
});

/** A tenant controller without work, and the metrics that are served for it. */
export class Served {
  readonly clock = new VirtualClock();
  readonly registry = new Registry();
  readonly metrics: TenantMetrics;
  readonly controller: Controller;
  objects: readonly Live[] = [];
  isRunning = true;
  /** Records an observation of a tenant. */
  look: (name: string) => void = () => {};

  private constructor(tenantSeries: boolean) {
    this.metrics = new TenantMetrics({ tenantSeries });
    this.controller = this.metrics.instrument(
      controller({
        name: 'tenant',
        for: Tenant,
        watches: [{ kind: Tenant, map: ({ metadata: { name } }) => [{ name }] }],
        reconcile: async ({ object }) => {
          this.look(object.metadata.name);
          return done;
        },
      }),
    );
  }

  static async begin(tenantSeries = true): Promise<Served> {
    const served = new Served(tenantSeries);
    const { clock, registry } = served;
    const { instruments } = await Metrics.create({ clock, registry, ofProcess: false });
    const cache = () => (served.isRunning ? viewOf(served.objects) : undefined);
    served.controller.metrics?.({ instruments, cache, clock });
    registerRequestMetrics({ instruments, cache, clock });
    return served;
  }

  page(): Promise<string> {
    return this.registry.metrics();
  }

  /** Returns the samples with this prefix, without those of buckets. */
  async samples(begin: string): Promise<Readonly<Record<string, number>>> {
    const all = [...samplesOf(await this.page())];
    return Object.fromEntries(
      all.filter(([name]) => name.startsWith(begin) && !name.includes('_bucket')),
    );
  }
}

/** The metrics of tenants, by name. */
export async function ownMetrics(): Promise<readonly object[]> {
  const { registry } = await Served.begin();
  const json = await registry.getMetricsAsJSON();
  const made: readonly { readonly name: string; readonly labelNames?: readonly string[] }[] =
    registry.getMetricsAsArray();
  const ofRuntime = (await Metrics.create({ ofProcess: false })).registry;
  const known = await ofRuntime.metrics();
  return json
    .filter(({ name }) => !known.includes(`# TYPE ${name} `))
    .map(({ name, type, help }) => {
      const labels = made.find((one) => one.name === name)?.labelNames ?? [];
      return { name, type, labels: [...labels], help };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
