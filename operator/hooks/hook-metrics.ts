import type { Platform } from '../../model/declaration.ts';
import type { Hook } from '../../crds/types.ts';
import type { OwnMetrics } from '@tenantry/runtime/controller/declaration';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { Counter, Gauge } from '@tenantry/runtime/metrics/instruments';
import { Tenant } from '../cluster/kinds.ts';
import type { AttemptOutcome } from './deliveries.ts';
import { findPendingDeliveries, type PendingDelivery, isSettled } from './receipts.ts';

type DeliveryOutcome = AttemptOutcome | 'abandoned';
type Waiting = Gauge<'hook' | 'event'>;

const outcomes: readonly DeliveryOutcome[] = ['delivered', 'failed', 'refused', 'abandoned'];
const labels = ['hook', 'event'] as const;

/** Metrics of hooks, see docs/hooks.md. Label values are the platform's hook names and fixed words. */
export class HookMetrics {
  readonly #platform: Platform;
  readonly #hooks: readonly Hook[];
  #attempts: Counter<'hook' | 'event' | 'outcome'> | undefined;

  constructor(platform: Platform, hooks: readonly Hook[]) {
    this.#platform = platform;
    this.#hooks = hooks;
  }

  countAttempt(
    { hook, event }: Pick<PendingDelivery, 'hook' | 'event'>,
    outcome: DeliveryOutcome,
  ): void {
    this.#attempts?.inc({ hook: hook.name, event, outcome });
  }

  readonly make = ({ instruments, cache, clock }: OwnMetrics<typeof Tenant>): void => {
    this.#attempts = instruments.counter({
      name: 'tenantry_hook_attempts_total',
      help: 'Attempts to deliver an event to a hook, by outcome',
      labels: [...labels, 'outcome'],
    });
    // Start each counter at 0, so that the first attempt counts as an increase.
    this.#ofEach((of) => {
      for (const outcome of outcomes) this.#attempts?.inc({ ...of, outcome }, 0);
    });
    const tenants = (): readonly Live<typeof Tenant>[] | undefined => cache()?.list(Tenant);
    const undelivered = 'Tenants with a pending delivery to the hook';
    instruments.gauge({ name: 'tenantry_hook_undelivered', help: undelivered, labels }, (gauge) =>
      this.#waiting(gauge, tenants(), (of) => gauge.inc(of)),
    );
    const age = 'Age of the oldest pending delivery to the hook; 0 if there is none';
    instruments.gauge(
      { name: 'tenantry_hook_oldest_undelivered_age_seconds', help: age, labels },
      (gauge) => {
        const oldest = new Map<string, number>();
        const now = clock.date().getTime();
        this.#waiting(gauge, tenants(), (of, since) => {
          const key = `${of.hook} ${of.event}`;
          const seconds = Math.max(0, (now - since) / 1000, oldest.get(key) ?? 0);
          oldest.set(key, seconds);
          gauge.set(of, seconds);
        });
      },
    );
  };

  #ofEach(make: (of: { readonly hook: string; readonly event: string }) => void): void {
    for (const { name, events } of this.#hooks)
      for (const event of events) make({ hook: name, event });
  }

  /** Adds each pending delivery and its start; sets 0 for the others, and nothing where another replica leads. */
  #waiting(
    gauge: Waiting,
    tenants: readonly Live<typeof Tenant>[] | undefined,
    add: (of: { readonly hook: string; readonly event: string }, since: number) => void,
  ): void {
    gauge.reset();
    if (!tenants) return;
    this.#ofEach((of) => gauge.set(of, 0));
    for (const tenant of tenants) {
      for (const delivery of findPendingDeliveries(tenant, this.#platform, this.#hooks)) {
        if (isSettled(delivery)) continue;
        add({ hook: delivery.hook.name, event: delivery.event }, findStart(delivery, tenant));
      }
    }
  }
}

/** Milliseconds since 1970. Before the first attempt a delivery waits since the tenant's deletion, or since now. */
function findStart({ receipt }: PendingDelivery, { metadata }: Live<typeof Tenant>): number {
  return Date.parse(receipt?.since ?? metadata.deletionTimestamp ?? '') || Infinity;
}
