import type { Platform } from '../../constructs/tenant/declaration.ts';
import type { Fleet } from '../../constructs/tenant/fleet.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import type { KubeObject } from '../../kube/object.ts';
import { done, requeueAfter, type Result } from '../../runtime/controller/result.ts';
import { isAborted } from '../../runtime/errors/aborted.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Log } from '../../runtime/log/log.ts';
import type { OtherKind } from '../cluster/other-kinds.ts';
import { createLiveReader } from '../drift/reading.ts';
import { Comparer } from '../drift/tenant-drift.ts';
import type { DeclarationCache } from '../heal/declaration-snapshot.ts';
import type { HealClient } from '../heal/heal-access.ts';
import type { Healer } from '../heal/healer.ts';
import { intentOf } from '../heal/policy.ts';
import type { TenantMetrics } from '../metrics/tenant-metrics.ts';
import { ComparisonRateLimiter } from './comparison-rate-limiter.ts';
import { Failures } from './failures.ts';
import { compareTenant, type CompareContext } from './compare.ts';
import type { Observation } from './observation.ts';
import {
  healedFields,
  buildFailedObservation,
  buildFailedHealing,
  READ_AGAIN,
  createReporter,
} from './reporting.ts';
import { Rollouts } from './rollouts.ts';
import type { StatusTarget } from './write-status.ts';
import { healingEvents } from './events.ts';

/** What tenants are reconciled with. */
export interface TenantReconcilerProps {
  readonly platform: Platform;
  readonly cluster: string;
  /** Milliseconds within which the cluster follows a changed declaration. */
  readonly rolloutDeadline: number;
  /** The most that is done about differences. */
  readonly most: DriftPolicy;
  readonly others: readonly OtherKind[];
  readonly healer: Healer;
  readonly metrics: TenantMetrics;
}

/** What is known of a Tenant at its turn, and with what something is done about it. */
export interface ReconcileContext extends StatusTarget {
  readonly client: StatusTarget['client'] & HealClient;
  readonly cache: CompareContext['cache'] & DeclarationCache;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** What the classes of the cluster mean. */
  readonly fleet: Fleet;
  /** Reads an object of the tenant whole. */
  get(object: KubeObject): Promise<Live>;
}

/** Compares tenants with the cluster, heals them, and reports how they stand, whatever fails of that. */
export class TenantReconciler {
  readonly #props: TenantReconcilerProps;
  readonly #comparer: Comparer;
  readonly #rollouts: Rollouts;
  readonly #failures = new Failures();
  readonly #damper = new ComparisonRateLimiter();

  constructor(props: TenantReconcilerProps) {
    this.#props = props;
    this.#comparer = new Comparer(props.platform);
    this.#rollouts = new Rollouts(props.cluster, props.rolloutDeadline);
  }

  /** Milliseconds until the tenant may be reconciled again; 0: now. */
  remaining(tenant: string, now: number): number {
    return this.#damper.remaining(tenant, now);
  }

  async reconcile(turn: ReconcileContext): Promise<Result> {
    const { object, fleet, clock } = turn;
    const { name } = object.metadata;
    const { metrics } = this.#props;
    const report = createReporter(turn, metrics, () => this.#damper.consume(name, clock.now()));
    const rollout = this.#rollouts.track(object, fleet, clock);
    const observation = await this.#compare(turn, rollout, report);
    this.#note(turn, observation);
    await report(observation);
    if (observation.type === 'refused' || observation.type === 'taken')
      this.#rollouts.markRefused(name);
    if (!isRolledOut(observation)) return computeRequeue(rollout.left, observation);
    if (observation.type === 'compared') this.#rollouts.markComplete(name);
    return computeRequeue(undefined, observation);
  }

  /** Forgets a tenant that is gone. */
  forget(tenant: string): void {
    const { healer } = this.#props;
    const memories = [this.#rollouts, this.#comparer, this.#failures, this.#damper, healer];
    for (const memory of memories) memory.forget(tenant);
  }

  /** Rejects where the tenant cannot be compared, which is reported first where somebody has to mend it. */
  async #compare(
    turn: ReconcileContext,
    rollout: Pick<CompareContext, 'isFollowing'>,
    report: (observation: Observation) => Promise<void>,
  ): Promise<Observation> {
    const { object, fleet, cache, clock, signal } = turn;
    const { name } = object.metadata;
    const { cluster, others, most, metrics } = this.#props;
    const read = createLiveReader(async (one) => {
      this.#damper.consume(name, clock.now());
      return turn.get(one);
    }, signal);
    const intent = intentOf(object, fleet, most);
    const heal = this.#healing(turn, intent);
    const comparer = this.#comparer;
    try {
      const context = {
        cluster,
        fleet,
        cache,
        others,
        comparer,
        read,
        ...rollout,
        ...intent,
        heal,
      };
      return await compareTenant(object, context);
    } catch (error) {
      if (isAborted(error, signal)) throw error;
      metrics.recordFailure(name);
      const isReported = this.#failures.shouldReport(name, error, clock.now());
      if (isReported) await report(buildFailedObservation(error));
      throw error;
    }
  }

  /** Heals as far as that is possible: what is refused keeps nothing from being compared. */
  #healing(
    turn: ReconcileContext,
    intent: ReturnType<typeof intentOf>,
  ): NonNullable<CompareContext['heal']> {
    const { object: tenant, client, cache, clock, signal, log } = turn;
    const now = (): number => clock.now();
    const date = (): Date => clock.date();
    const means = { tenant, ...intent, declarations: cache, client, now, date };
    return async (declared, objects) => {
      try {
        return await this.#props.healer.heal({ ...means, declared, objects });
      } catch (error) {
        const { name } = tenant.metadata;
        if (isAborted(error, signal) || !this.#failures.shouldReport(name, error, now()))
          throw error;
        log.error('the tenant is not healed', { error });
        return buildFailedHealing(error);
      }
    };
  }

  #note({ object, event, log }: ReconcileContext, observation: Observation): void {
    const { metrics } = this.#props;
    const { name } = object.metadata;
    const isCompared = observation.type === 'compared';
    metrics.recordComparison(name, isCompared ? observation.unread.length : 0);
    if (observation.type !== 'unknown')
      metrics.recordDrift(name, isCompared ? observation.drift : []);
    if (!isCompared || observation.problems.length === 0) this.#failures.forget(name);
    if (!isCompared) return;
    for (const healingEvent of healingEvents(observation)) event(healingEvent);
    for (const one of observation.healed) log.info('an object was healed', healedFields(one));
    metrics.recordHealed(observation.healed);
  }
}

/** Whether nothing is on its way any more. */
function isRolledOut(observation: Observation): boolean {
  return observation.type !== 'compared' || observation.following === 0;
}

/** In so many milliseconds, or when there is something to heal or to read that could not be. */
function computeRequeue(left: number | undefined, observation: Observation): Result {
  const isCompared = observation.type === 'compared';
  const retry = isCompared ? observation.retryAfter : undefined;
  const isUnread = isCompared && observation.unread.length > 0;
  const due = [left, retry, isUnread ? READ_AGAIN : undefined].filter((one) => one !== undefined);
  return due.length > 0 ? requeueAfter(Math.min(...due)) : done;
}
