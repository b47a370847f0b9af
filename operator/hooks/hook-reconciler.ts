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

/** The least milliseconds between two reconciliations of a tenant. */
const SOONEST = 100;

const hour = 60 * 60 * 1000;

export interface HookReconcilerProps extends AttemptProps {
  readonly platform: Platform;
  readonly cluster: string;
  readonly hooks: readonly Hook[];
  readonly metrics: HookMetrics;
  readonly random: Random;
}

/** The state of a pending delivery, and the milliseconds until it is due. */
interface DeliveryState {
  readonly owed: PendingDelivery;
  readonly due: number | undefined;
}

/** Delivers the pending messages of a tenant to hooks, one after the other. */
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

  /** Reconciles a tenant that is not being deleted. */
  async reconcile(context: DeliveryContext): Promise<Result> {
    const states = await this.#each(context, (owed, subject) =>
      this.#deliveries.deliver(owed, subject),
    );
    return computeRequeue(states.flatMap(({ due }) => (due === undefined ? [] : [due])));
  }

  /** Reconciles a tenant that is being deleted. Its result is `done` once each delivery succeeded or was given up. */
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
    // Sequential, because each delivery writes the status.
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
      log.warn('a hook delivery was given up', { hook: hook.name, event, why });
      const note = `${hook.name}: ${event}: given up: ${why}`;
      tell({ type: 'Warning', reason: 'HookGivenUp', action: 'CallHook', note });
    }
    return { owed: { ...owed, receipt }, due: undefined };
  }
}

function computeRequeue(dues: readonly number[]): Result {
  return dues.length === 0 ? done : requeueAfter(Math.max(Math.min(...dues), SOONEST));
}

/** Returns the milliseconds for which a Tenant that is being deleted still waits for a hook. */
function leftOf({ giveUpHours = 24 }: Hook, { object, clock }: DeliveryContext): number {
  const since = Date.parse(object.metadata.deletionTimestamp ?? '');
  return Math.max(0, since + giveUpHours * hour - clock.date().getTime());
}
