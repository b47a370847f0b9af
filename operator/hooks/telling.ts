import type { Platform } from '../../constructs/tenant/declaration.ts';
import type { Hook } from '../../crds/tenantry/types.ts';
import type { Random } from '../../runtime/clock/clock.ts';
import { done, requeueAfter, type Result } from '../../runtime/controller/result.ts';
import { TenantClass } from '../cluster/kinds.ts';
import { KnownClasses } from '../fleet/known-classes.ts';
import type { AttemptProps } from './attempt.ts';
import { Deliveries, type Subject } from './deliveries.ts';
import { factsOf } from './facts.ts';
import type { TellingContext } from './hook-access.ts';
import type { HookMetrics } from './hook-metrics.ts';
import { findPendingDeliveries, type PendingDelivery } from './pending-delivery.ts';
import { givenUp, isSettled } from './receipts.ts';
import { TenantReceipts } from './tenant-receipts.ts';

/** At least so many milliseconds lie between two looks at a tenant. */
const SOONEST = 100;

const hour = 60 * 60 * 1000;

export interface TellingProps extends AttemptProps {
  readonly platform: Platform;
  readonly cluster: string;
  readonly hooks: readonly Hook[];
  readonly metrics: HookMetrics;
  readonly random: Random;
}

/** What is known of something that is owed, and in how many milliseconds it is due. */
interface Told {
  readonly owed: PendingDelivery;
  readonly due: number | undefined;
}

/** Tells hooks what is owed to them of a tenant, one after the other. */
export class Telling {
  readonly #props: TellingProps;
  readonly #classes: KnownClasses;
  readonly #deliveries: Deliveries;

  constructor(props: TellingProps) {
    this.#props = props;
    this.#classes = new KnownClasses(props.platform);
    this.#deliveries = new Deliveries({
      ...props,
      ended: (owed, outcome) => props.metrics.ended(owed, outcome),
    });
  }

  /** Of a tenant that is there. */
  async that(context: TellingContext): Promise<Result> {
    const told = await this.#each(context, (owed, subject) =>
      this.#deliveries.deliver(owed, subject),
    );
    return againAfter(told.flatMap(({ due }) => (due === undefined ? [] : [due])));
  }

  /** Of one that is being deleted. It may go when the result is `done`: each hook was told, or given up. */
  async thatItGoes(context: TellingContext): Promise<Result> {
    const told = await this.#each(context, (owed, subject) => {
      if (isSettled(owed) || leftOf(owed.hook, context) > 0) {
        return this.#deliveries.deliver(owed, subject);
      }
      return this.#giveUp(owed, subject);
    });
    const open = told.filter(({ owed }) => !isSettled(owed));
    return againAfter(
      open.map(({ owed, due = Infinity }) => Math.min(due, leftOf(owed.hook, context))),
    );
  }

  async #each(
    context: TellingContext,
    tell: (owed: PendingDelivery, subject: Subject) => Promise<Told>,
  ): Promise<readonly Told[]> {
    const { platform, hooks } = this.#props;
    const subject = this.#subjectOf(context);
    const told: Told[] = [];
    // One after the other, as each writes the status.
    for (const owed of findPendingDeliveries(context.object, platform, hooks)) {
      told.push(await tell(owed, subject));
    }
    return told;
  }

  #subjectOf({ object, client, cache, clock, signal, log, event }: TellingContext): Subject {
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
    { uid, clock, write, event: tell, log }: Subject,
  ): Promise<Told> {
    const { hook, event } = owed;
    const receipt = givenUp(owed, uid, clock.date());
    if (await write(receipt)) {
      this.#props.metrics.ended(owed, 'abandoned');
      const why = receipt.message ?? 'it was never tried';
      log.warn('a hook was given up', { hook: hook.name, event, why });
      const note = `${hook.name}: ${event}: given up: ${why}`;
      tell({ type: 'Warning', reason: 'HookGivenUp', action: 'CallHook', note });
    }
    return { owed: { ...owed, receipt }, due: undefined };
  }
}

function againAfter(dues: readonly number[]): Result {
  return dues.length === 0 ? done : requeueAfter(Math.max(Math.min(...dues), SOONEST));
}

/** Milliseconds for which a Tenant that goes still waits for a hook. */
function leftOf({ giveUpHours = 24 }: Hook, { object, clock }: TellingContext): number {
  const since = Date.parse(object.metadata.deletionTimestamp ?? '');
  return Math.max(0, since + giveUpHours * hour - clock.date().getTime());
}
