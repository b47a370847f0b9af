import { isDeepStrictEqual } from 'node:util';
import { findHooks } from '../../model/operator/hooks.ts';
import type { Platform } from '../../model/declaration.ts';
import type { Random } from '@tenantry/runtime/clock/clock';
import { controller } from '@tenantry/runtime/controller/controller';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import type { Change } from '@tenantry/runtime/controller/predicate';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { Tenant, TenantClass } from '../cluster/kinds.ts';
import type { AttemptProps } from './attempt.ts';
import {
  hookAccess,
  markGivenUp,
  isSettled,
  TenantReceipts,
  type DeliveryContext,
  isOnboarded,
  hasPendingOffboarding,
  findPendingDeliveries,
  type PendingDelivery,
} from './receipts.ts';
import { HookMetrics } from './hook-metrics.ts';
import type { Hook } from '../../crds/types.ts';
import { done, requeueAfter, type Result } from '@tenantry/runtime/controller/context';
import { KnownClasses, listClaimedNamespaces, toDeclaration } from '../fleet/declarations.ts';
import { Deliveries, type DeliverySubject } from './deliveries.ts';
import type { Fleet } from '../../model/fleet.ts';
import type { TenantFacts } from './sender.ts';

/** The finalizer that keeps a Tenant until hooks have received its offboarding. */
export const HOOK_FINALIZER = 'tenantry.dev/hooks';

/** The dependencies of the hook controller. */
interface HookControllerProps extends AttemptProps {
  readonly platform: Platform;
  /** The cluster in which it runs, as the platform names it. */
  readonly cluster: string;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

/**
 * Calls the hooks of the platform when tenants are onboarded and offboarded. It is separate from the tenant controller,
 * so that a slow hook delays nothing else. Receipts in the Tenant's status (`status.hooks`) record the start of an
 * attempt before it, and its result afterwards.
 */
export function hookController(props: HookControllerProps): Controller {
  const { platform, cluster, random = Math.random } = props;
  const hooks = findHooks(platform, cluster);
  const metrics = new HookMetrics(platform, hooks);
  const reconciler = new HookReconciler({ ...props, hooks, metrics, random });
  return controller({
    name: 'hooks',
    for: Tenant,
    // Retries within minutes keep the alert on failing hooks firing.
    longestRetry: 60_000,
    predicate: isNews,
    concurrency: 4,
    // Classes are read when a message is sent; a change of one causes no delivery.
    watches: [{ kind: TenantClass, predicate: () => false, map: () => [] }],
    access: hookAccess,
    finalizer: {
      name: HOOK_FINALIZER,
      isNeeded: ({ object }) => hasPendingOffboarding(object, platform, hooks),
      cleanUp: (context) => reconciler.finalize(context),
    },
    reconcile: (context) => reconciler.reconcile(context),
    metrics: metrics.make,
  });
}

/** Whether a change can affect deliveries: readiness, class or receipts. */
function isNews({ object, old }: Change<typeof Tenant>): boolean {
  return (
    old === undefined || !isDeepStrictEqual(extractRelevantState(object), extractRelevantState(old))
  );
}

function extractRelevantState(tenant: Live<typeof Tenant>): readonly unknown[] {
  return [isOnboarded(tenant), tenant.spec?.className, tenant.status?.hooks];
}

/** The least milliseconds between two reconciliations of a tenant. */
const SOONEST = 100;

const hour = 60 * 60 * 1000;

interface HookReconcilerProps extends AttemptProps {
  readonly platform: Platform;
  readonly cluster: string;
  readonly hooks: readonly Hook[];
  readonly metrics: HookMetrics;
  readonly random: Random;
}

/** The state of a pending delivery, and the milliseconds until it is due. */
interface DeliveryState {
  readonly delivery: PendingDelivery;
  readonly due: number | undefined;
}

/** Delivers the pending messages of a tenant to hooks, one after the other. */
class HookReconciler {
  readonly #props: HookReconcilerProps;
  readonly #classes: KnownClasses;
  readonly #deliveries: Deliveries;

  constructor(props: HookReconcilerProps) {
    this.#props = props;
    this.#classes = new KnownClasses(props.platform);
    this.#deliveries = new Deliveries({
      ...props,
      ended: (delivery, outcome) => props.metrics.countAttempt(delivery, outcome),
    });
  }

  /** Reconciles a tenant that is not being deleted. */
  async reconcile(context: DeliveryContext): Promise<Result> {
    const states = await this.#each(context, (delivery, subject) =>
      this.#deliveries.deliver(delivery, subject),
    );
    return computeRequeue(states.flatMap(({ due }) => (due === undefined ? [] : [due])));
  }

  /** Reconciles a tenant that is being deleted. Its result is `done` once each delivery succeeded or was given up. */
  async finalize(context: DeliveryContext): Promise<Result> {
    const states = await this.#each(context, (delivery, subject) => {
      if (isSettled(delivery) || computeTimeLeft(delivery.hook, context) > 0) {
        return this.#deliveries.deliver(delivery, subject);
      }
      return this.#giveUp(delivery, subject);
    });
    const open = states.filter(({ delivery }) => !isSettled(delivery));
    return computeRequeue(
      open.map(({ delivery, due = Infinity }) =>
        Math.min(due, computeTimeLeft(delivery.hook, context)),
      ),
    );
  }

  async #each(
    context: DeliveryContext,
    deliver: (delivery: PendingDelivery, subject: DeliverySubject) => Promise<DeliveryState>,
  ): Promise<readonly DeliveryState[]> {
    const { platform, hooks } = this.#props;
    const subject = this.#buildSubject(context);
    const states: DeliveryState[] = [];
    // Sequential, because each delivery writes the status.
    for (const delivery of findPendingDeliveries(context.object, platform, hooks)) {
      states.push(await deliver(delivery, subject));
    }
    return states;
  }

  #buildSubject({
    object,
    client,
    cache,
    clock,
    signal,
    log,
    event,
  }: DeliveryContext): DeliverySubject {
    const receipts = new TenantReceipts({ client, object });
    const dated = () => ({ tenant: object, now: clock.date() });
    const fleet = () => this.#classes.buildFleet(cache.list(TenantClass), dated());
    return {
      uid: object.metadata.uid,
      facts: () => buildFacts(object, fleet(), this.#props.cluster),
      write: (receipt) => receipts.write(receipt),
      event,
      clock,
      stop: signal,
      log,
    };
  }

  async #giveUp(
    delivery: PendingDelivery,
    { uid, clock, write, event: emit, log }: DeliverySubject,
  ): Promise<DeliveryState> {
    const { hook, event } = delivery;
    const receipt = markGivenUp(delivery, uid, clock.date());
    if (await write(receipt)) {
      this.#props.metrics.countAttempt(delivery, 'abandoned');
      const why = receipt.message ?? 'it was never tried';
      log.warn('a hook delivery was given up', { hook: hook.name, event, why });
      const note = `${hook.name}: ${event}: given up: ${why}`;
      emit({ type: 'Warning', reason: 'HookGivenUp', action: 'CallHook', note });
    }
    return { delivery: { ...delivery, receipt }, due: undefined };
  }
}

function computeRequeue(dues: readonly number[]): Result {
  return dues.length === 0 ? done : requeueAfter(Math.max(Math.min(...dues), SOONEST));
}

/** Returns the milliseconds for which a Tenant that is being deleted still waits for a hook. */
function computeTimeLeft({ giveUpHours = 24 }: Hook, { object, clock }: DeliveryContext): number {
  const since = Date.parse(object.metadata.deletionTimestamp ?? '');
  return Math.max(0, since + giveUpHours * hour - clock.date().getTime());
}

/**
 * Returns the facts about a tenant that hooks receive. If its class is gone, they list all namespaces that it claims.
 */
function buildFacts(tenant: Live<typeof Tenant>, fleet: Fleet, cluster: string): TenantFacts {
  const { metadata, spec } = tenant;
  const { namespaces } = fleet.desired(toDeclaration(tenant));
  const here = namespaces.filter((one) => one.cluster === cluster).map(({ name }) => name);
  return {
    name: metadata.name,
    uid: metadata.uid,
    className: spec?.className ?? fleet.platform.defaultClass,
    cluster,
    namespaces: namespaces.length > 0 ? here : listClaimedNamespaces(tenant),
    contact: spec?.contact ?? {},
    labels: metadata.labels ?? {},
  };
}
