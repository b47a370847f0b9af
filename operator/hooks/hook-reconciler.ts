import type { Platform } from '../../constructs/tenant/declaration.ts';
import type { Hook } from '../../crds/tenantry/types.ts';
import type { Random } from '../../runtime/clock/clock.ts';
import { done, requeueAfter, type Result } from '../../runtime/controller/result.ts';
import { TenantClass } from '../cluster/kinds.ts';
import { KnownClasses } from '../fleet/known-classes.ts';
import type { AttemptProps } from './attempt.ts';
import { Deliveries, type DeliverySubject } from './deliveries.ts';
import { factsOf } from './facts.ts';
import type { DeliveryContext } from './hook-access.ts';
import type { HookMetrics } from './hook-metrics.ts';
import { findPendingDeliveries, type PendingDelivery } from './pending-delivery.ts';
import { markGivenUp, isSettled } from './receipts.ts';
import { TenantReceipts } from './tenant-receipts.ts';

/** At least so many milliseconds lie between two looks at a tenant. */
const SOONEST = 100;

const hour = 60 * 60 * 1000;

export interface HookReconcilerProps extends AttemptProps {
  readonly platform: Platform;
  readonly cluster: string;
  readonly hooks: readonly Hook[];
  readonly metrics: HookMetrics;
  readonly random: Random;
}

/** What is known of something that is owed, and in how many milliseconds it is due. */
interface DeliveryState {
  readonly owed: PendingDelivery;
  readonly due: number | undefined;
}

/** Tells hooks what is owed to them of a tenant, one after the other. */
export class HookReconciler {
  readonly #props: HookReconcilerProps;
  readonly #classes: KnownClasses;
  readonly #deliveries: Deliveries;

  constructor(props: HookReconcilerProps) {
    this.#props = props;
    this.#classes = new KnownClasses(props.platform);
    this.#deliveries = new Deliveries({
      ...props,
      ended: (owed, outcome) => props.metrics.countAttempt(owed, outcome),
    });
  }

  /** Of a tenant that is there. */
  async reconcile(context: DeliveryContext): Promise<Result> {
    const states = await this.#each(context, (owed, subject) =>
      this.#deliveries.deliver(owed, subject),
    );
    return computeRequeue(states.flatMap(({ due }) => (due === undefined ? [] : [due])));
  }

  /** Of one that is being deleted. It may go when the result is `done`: each hook was told, or given up. */
  async finalize(context: DeliveryContext): Promise<Result> {
    const states = await this.#each(context, (owed, subject) => {
      if (isSettled(owed) || leftOf(owed.hook, context) > 0) {
        return this.#deliveries.deliver(owed, subject);
      }
      return this.#giveUp(owed, subject);
    });
    const open = states.filter(({ owed }) => !isSettled(owed));
    return computeRequeue(
      open.map(({ owed, due = Infinity }) => Math.min(due, leftOf(owed.hook, context))),
    );
  }

  async #each(
    context: DeliveryContext,
    tell: (owed: PendingDelivery, subject: DeliverySubject) => Promise<DeliveryState>,
  ): Promise<readonly DeliveryState[]> {
    const { platform, hooks } = this.#props;
    const subject = this.#subjectOf(context);
    const states: DeliveryState[] = [];
    // One after the other, as each writes the status.
    for (const owed of findPendingDeliveries(context.object, platform, hooks)) {
      states.push(await tell(owed, subject));
    }
    return states;
  }

  #subjectOf({
    object,
    client,
    cache,
    clock,
    signal,
    log,
    event,
  }: DeliveryContext): DeliverySubject {
    const receipts = new TenantReceipts({ client, object });
    const fleet = () => this.#classes.fleetOf(cache.list(TenantClass));
    return {
      uid: object.metadata.uid,
      facts: () => factsOf(object, fleet(), this.#props.cluster),
      write: (receipt) => receipts.write(receipt),
      event,
      clock,
      stop: signal,
      log,
    };
  }

  async #giveUp(
    owed: PendingDelivery,
    { uid, clock, write, event: tell, log }: DeliverySubject,
  ): Promise<DeliveryState> {
    const { hook, event } = owed;
    const receipt = markGivenUp(owed, uid, clock.date());
    if (await write(receipt)) {
      this.#props.metrics.countAttempt(owed, 'abandoned');
      const why = receipt.message ?? 'it was never tried';
      log.warn('a hook was given up', { hook: hook.name, event, why });
      const note = `${hook.name}: ${event}: given up: ${why}`;
      tell({ type: 'Warning', reason: 'HookGivenUp', action: 'CallHook', note });
    }
    return { owed: { ...owed, receipt }, due: undefined };
  }
}

function computeRequeue(dues: readonly number[]): Result {
  return dues.length === 0 ? done : requeueAfter(Math.max(Math.min(...dues), SOONEST));
}

/** Milliseconds for which a Tenant that goes still waits for a hook. */
function leftOf({ giveUpHours = 24 }: Hook, { object, clock }: DeliveryContext): number {
  const since = Date.parse(object.metadata.deletionTimestamp ?? '');
  return Math.max(0, since + giveUpHours * hour - clock.date().getTime());
}
