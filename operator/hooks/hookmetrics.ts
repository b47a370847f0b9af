import type { Hook } from '../../crds/tenantry/types.ts';
import type { OwnMetrics } from '../../runtime/controller/ownmetrics.ts';
import type { Counter } from '../../runtime/metrics/instruments.ts';
import { Tenant } from '../cluster/kinds.ts';
import type { Outcome } from './deliveries.ts';
import type { Owed } from './owed.ts';

type Ended = Outcome | 'abandoned';

/** Metrics of hooks, see docs/hooks.md. Labels are names of hooks, which the platform says, and words. */
export class HookMetrics {
  readonly #hooks: readonly Hook[];
  #attempts: Counter<'hook' | 'event' | 'outcome'> | undefined;

  constructor(hooks: readonly Hook[]) {
    this.#hooks = hooks;
  }

  ended({ hook, event }: Pick<Owed, 'hook' | 'event'>, outcome: Ended): void {
    this.#attempts?.inc({ hook: hook.name, event, outcome });
  }

  readonly make = ({ instruments, cache }: OwnMetrics<typeof Tenant>): void => {
    this.#attempts = instruments.counter({
      name: 'tenantry_hook_attempts_total',
      help: 'Attempts at telling a hook of an event, by how they ended',
      labels: ['hook', 'event', 'outcome'],
    });
    instruments.gauge(
      {
        name: 'tenantry_hook_undelivered',
        help: 'Tenants of which a hook was not told yet what it was tried to tell',
        labels: ['hook', 'event'],
      },
      (gauge) => {
        gauge.reset();
        const tenants = cache()?.list(Tenant);
        if (!tenants) return;
        for (const { name, events } of this.#hooks) {
          for (const event of events) gauge.set({ hook: name, event }, 0);
        }
        const known = new Set(this.#hooks.map(({ name }) => name));
        const receipts = tenants.flatMap(({ status }) => status?.hooks ?? []);
        for (const { hook, event, state } of receipts) {
          const isOpen = state === 'Sending' || state === 'Failed';
          if (isOpen && known.has(hook)) gauge.inc({ hook, event });
        }
      },
    );
  };
}
