import type { Platform } from '../../model/declaration.ts';
import type { Fleet } from '../../model/fleet.ts';
import { millisecondsToNextEnd } from '../../model/end-dates.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { done, requeueAfter, type Result } from '@tenantry/runtime/controller/context';
import { isAborted, reactionTo } from '@tenantry/runtime/errors/reaction';
import { keyOf, type Live } from '@tenantry/runtime/kinds/kind';
import type { Log } from '@tenantry/runtime/log/log';
import { findActiveGrants, type RequestCache } from '../break-glass/active-grants.ts';
import type { OtherKind } from '../cluster/other-kinds.ts';
import { toDeclaration } from '../fleet/declarations.ts';
import { createLiveReader } from '../drift/object-drift.ts';
import { Comparer } from '../drift/tenant-drift.ts';
import type { DeclarationCache } from '../heal/preconditions.ts';
import { resolveIntent, type HealClient, type Intent } from '../heal/policy.ts';
import type { Healer, HealingResult } from '../heal/healer.ts';
import type { TenantMetrics } from '../metrics/tenant-metrics.ts';
import { compareTenant, type CompareContext } from './compare.ts';
import type { Observation } from './observation.ts';
import { Rollouts } from './rollouts.ts';
import { writeStatus, type StatusTarget } from './status.ts';
import { healingEvents } from './events.ts';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { describeError } from '../cluster/unobserved.ts';
import type { HealedObject } from '../heal/heal-run.ts';
import { AccessDenied } from '@tenantry/runtime/errors/client-errors';

/** The dependencies of a `TenantReconciler`. */
interface TenantReconcilerProps {
  readonly platform: Platform;
  readonly cluster: string;
  /** Milliseconds within which the cluster follows a changed declaration. */
  readonly rolloutDeadline: number;
  /** The strongest drift policy that is allowed. */
  readonly maxPolicy: DriftPolicy;
  readonly others: readonly OtherKind[];
  readonly healer: Healer;
  readonly metrics: TenantMetrics;
}

/** The context in which a Tenant is reconciled. */
interface ReconcileContext extends StatusTarget {
  readonly client: StatusTarget['client'] & HealClient;
  readonly cache: CompareContext['cache'] & DeclarationCache;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** The requests of access, if the operator grants any. */
  readonly requests: RequestCache | undefined;
  /** The compiled classes of the cluster. */
  readonly fleet: Fleet;
  /** Reads a whole object of the tenant. */
  get(object: KubeObject): Promise<Live>;
}

/** Compares tenants with the cluster, heals them and reports their state, even if a part of that fails. */
export class TenantReconciler {
  readonly #props: TenantReconcilerProps;
  readonly #comparer: Comparer;
  readonly #rollouts: Rollouts;
  readonly #failures = new Failures();
  readonly #rateLimiter = new ComparisonRateLimiter();

  constructor(props: TenantReconcilerProps) {
    this.#props = props;
    this.#comparer = new Comparer(props.platform);
    this.#rollouts = new Rollouts(props.cluster, props.rolloutDeadline);
  }

  /** Returns the milliseconds until the tenant may be reconciled again; 0 means now. */
  remaining(tenant: string, now: number): number {
    return this.#rateLimiter.remaining(tenant, now);
  }

  async reconcile(context: ReconcileContext): Promise<Result> {
    const { object, fleet, clock } = context;
    const { name } = object.metadata;
    const { metrics } = this.#props;
    const report = createReporter(context, metrics, () =>
      this.#rateLimiter.consume(name, clock.now()),
    );
    const rollout = this.#rollouts.track(object, fleet, clock);
    const observation = await this.#compare(context, rollout, report);
    this.#recordResult(context, observation);
    await report(observation);
    if (observation.type === 'refused' || observation.type === 'taken')
      this.#rollouts.markRefused(name);
    const end = millisecondsToNextEnd(fleet.endings(toDeclaration(object)), clock.date());
    if (!isRolledOut(observation)) return computeRequeue([rollout.left, end], observation);
    if (observation.type === 'compared') this.#rollouts.markComplete(name);
    return computeRequeue([end], observation);
  }

  /** Drops the state of a deleted tenant. */
  forget(tenant: string): void {
    const { healer } = this.#props;
    const memories = [this.#rollouts, this.#comparer, this.#failures, this.#rateLimiter, healer];
    for (const memory of memories) memory.forget(tenant);
  }

  /** Rejects if the tenant cannot be compared. If somebody has to correct something, that is reported first. */
  async #compare(
    context: ReconcileContext,
    rollout: Pick<CompareContext, 'isFollowing'>,
    report: (observation: Observation) => Promise<void>,
  ): Promise<Observation> {
    const { object, fleet, cache, clock, signal, requests } = context;
    const { name } = object.metadata;
    const { cluster, others, maxPolicy, metrics } = this.#props;
    const read = createLiveReader(async (one) => {
      this.#rateLimiter.consume(name, clock.now());
      return context.get(one);
    }, signal);
    const intent = resolveIntent(object, fleet, maxPolicy);
    const heal = this.#createHeal(context, intent);
    const comparer = this.#comparer;
    try {
      const compareContext: CompareContext = {
        cluster,
        fleet,
        cache,
        others,
        comparer,
        read,
        isFollowing: rollout.isFollowing,
        policy: intent.policy,
        requested: intent.requested,
        findGrants: requests && ((here) => findActiveGrants(name, here, requests, clock.date())),
        heal,
      };
      return await compareTenant(object, compareContext);
    } catch (error) {
      if (isAborted(error, signal)) throw error;
      metrics.recordFailure(name);
      const isReported = this.#failures.shouldReport(name, error, clock.now());
      if (isReported) await report(buildFailedObservation(error));
      throw error;
    }
  }

  /** Heals as far as possible: a refusal does not keep the tenant from being compared. */
  #createHeal(
    context: ReconcileContext,
    { policy, shared }: Intent,
  ): NonNullable<CompareContext['heal']> {
    const { object: tenant, client, cache, clock, signal, log } = context;
    const now = (): number => clock.now();
    const date = (): Date => clock.date();
    const healContext = { tenant, policy, shared, declarations: cache, client, now, date };
    return async (declared, objects) => {
      try {
        return await this.#props.healer.heal({ ...healContext, declared, objects });
      } catch (error) {
        const { name } = tenant.metadata;
        if (isAborted(error, signal) || !this.#failures.shouldReport(name, error, now()))
          throw error;
        log.error('the tenant is not healed', { error });
        return buildFailedHealing(error);
      }
    };
  }

  #recordResult({ object, event, log }: ReconcileContext, observation: Observation): void {
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

/** Whether no rollout is in progress. */
function isRolledOut(observation: Observation): boolean {
  return observation.type !== 'compared' || observation.following === 0;
}

/** Requeues after the first of these milliseconds, or when a failed healing or reading is retried. */
function computeRequeue(left: readonly (number | undefined)[], observation: Observation): Result {
  const isCompared = observation.type === 'compared';
  const retry = isCompared ? observation.retryAfter : undefined;
  const isUnread = isCompared && observation.unread.length > 0;
  const due = [...left, retry, isUnread ? READ_RETRY : undefined].filter(
    (one) => one !== undefined,
  );
  return due.length > 0 ? requeueAfter(Math.min(...due)) : done;
}

/** Milliseconds until an unreadable object is read again. */
const READ_RETRY = 30_000;

/**
 * Creates a function that writes an observation into the status of a Tenant. A refusal by the API server is recorded
 * for metrics.
 */
function createReporter(
  target: StatusTarget,
  metrics: TenantMetrics,
  consume: () => void,
): (observation: Observation) => Promise<void> {
  const { name } = target.object.metadata;
  return async (observation) => {
    try {
      const outcome = await writeStatus(observation, target);
      if (outcome !== 'unchanged') consume();
      if (outcome === 'written') metrics.recordStatusDelay(name);
      metrics.recordReport(name, { isReported: outcome !== 'absent' });
    } catch (error) {
      consume();
      // A conflict is no refusal: the status is computed again.
      const isOutdated = error instanceof ApiError && error.isConflict;
      if (!isOutdated) metrics.recordReport(name, { isReported: false });
      throw error;
    }
  };
}

/** Builds the observation of a tenant whose comparison failed. */
function buildFailedObservation(error: unknown): Observation {
  return { type: 'unknown', reason: 'NotCompared', message: describeError(error) };
}

/** Builds the result of a healing that failed as a whole; the drift is reported nevertheless. */
function buildFailedHealing(error: unknown): HealingResult {
  const message = `The tenant could not be healed: ${describeError(error)}`;
  const problems = [{ reason: 'HealRefused', message } as const];
  return { healed: [], problems, retryAfter: READ_RETRY, fights: [] };
}

/** Returns the log fields about a healed object. */
function healedFields({ type, object, drift }: HealedObject): Readonly<Record<string, unknown>> {
  const { kind, metadata } = object;
  const fields = drift.flatMap(({ field }) => field ?? []);
  const managers = [...new Set(drift.flatMap(({ manager }) => manager ?? []))];
  return { type, kind, object: keyOf(metadata), fields, managers };
}

/** Milliseconds for which comparisons of a tenant may fail before its status reports an unknown state. */
const MAX_FAILURE = 30_000;

/** The times since when tenants could not be compared, on the clock, by tenant. */
export class Failures {
  readonly #since = new Map<string, number>();

  /** Records a failure. Returns whether to report it, because it lasts or somebody has to correct something. */
  shouldReport(tenant: string, error: unknown, now: number): boolean {
    const since = this.#since.get(tenant) ?? now;
    this.#since.set(tenant, since);
    const isForSomebody =
      error instanceof AccessDenied ||
      (error instanceof ApiError && reactionTo(error) === 'give up');
    return isForSomebody || now - since >= MAX_FAILURE;
  }

  /** The tenant was compared successfully. */
  forget(tenant: string): void {
    this.#since.delete(tenant);
  }
}

/** The rate limit of comparisons that cost requests. */
const LIMIT = { burst: 10, every: 5_000 } as const;

interface Budget {
  /** Comparisons that are left. */
  left: number;
  /** The time of that count, on the clock. */
  at: number;
}

/**
 * Limits comparisons that read or write, for each tenant: a burst of ten, then one every five seconds. So a program
 * that writes an object many times a second costs few requests, and its last write is still reported.
 */
export class ComparisonRateLimiter {
  readonly #budgets = new Map<string, Budget>();

  /** Returns the milliseconds until the tenant may be compared; 0 means now. */
  remaining(tenant: string, now: number): number {
    const left = this.#left(tenant, now);
    return left >= 1 ? 0 : Math.ceil((1 - left) * LIMIT.every);
  }

  /** Records a comparison that cost a request. */
  consume(tenant: string, now: number): void {
    this.#budgets.set(tenant, { left: Math.max(0, this.#left(tenant, now) - 1), at: now });
  }

  forget(tenant: string): void {
    this.#budgets.delete(tenant);
  }

  #left(tenant: string, now: number): number {
    const budget = this.#budgets.get(tenant);
    if (!budget) return LIMIT.burst;
    return Math.min(LIMIT.burst, budget.left + (now - budget.at) / LIMIT.every);
  }
}
