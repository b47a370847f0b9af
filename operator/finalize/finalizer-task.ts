import type { Fleet } from '../../constructs/tenant/fleet.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import { hasFinalizer } from '../../runtime/controller/object-life.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';
import type { TenantObjects } from '../cluster/tenant-objects.ts';
import type { HealClient } from '../heal/heal-access.ts';
import type { Problem } from '../heal/problem.ts';

/** The finalizer that keeps a Tenant until the operator has run its finalizer tasks. */
export const FINALIZER = 'tenantry.dev/operator';

/** The tenant for which a finalizer task is considered. */
export interface FinalizeContext {
  readonly tenant: Live<typeof Tenant>;
  readonly fleet: Fleet;
  /** What the operator does about drift of the tenant. */
  readonly policy: DriftPolicy;
  readonly cluster: string;
}

/** The context in which finalizer tasks run. */
export interface FinalizeRun extends FinalizeContext {
  readonly objects: TenantObjects;
  readonly client: HealClient;
  /** Aborts when the operator stops. */
  readonly signal: AbortSignal;
  /** Returns the clock's time in milliseconds. */
  now(): number;
}

/** The result of finalizer tasks. */
export interface FinalizeResult {
  /** Why a task is not done. If empty, and without `retryAfter`, everything is done. */
  readonly problems: readonly Problem[];
  /** Milliseconds until the next attempt. */
  readonly retryAfter?: number;
  /** Notes for the event of the Tenant's deletion, a sentence each. @default - nothing */
  readonly notes?: readonly string[];
}

/** A task that the operator runs before a Tenant is deleted. */
export interface FinalizerTask {
  readonly name: string;
  /**
   * Whether the task must run before the Tenant is deleted. Called for existing Tenants and for those that are being
   * deleted.
   */
  isDue(leaving: FinalizeContext): boolean;
  /** Runs as much of the task as is possible now. It must recognize what is done already. */
  run(leaving: FinalizeRun): Promise<FinalizeResult>;
}

/** Whether a Tenant needs the finalizer. A cordoned Tenant is left unchanged. */
export function isFinalizerNeeded(
  tasks: readonly FinalizerTask[],
  leaving: FinalizeContext,
): boolean {
  const { tenant } = leaving;
  if (tenant.spec?.cordoned) return hasFinalizer(tenant, FINALIZER);
  return tasks.some((one) => one.isDue(leaving));
}

/** Runs all tasks that are due, even if some fail; none for a cordoned Tenant. */
export async function runFinalizerTasks(
  tasks: readonly FinalizerTask[],
  leaving: FinalizeRun,
): Promise<FinalizeResult> {
  if (leaving.tenant.spec?.cordoned) {
    return { problems: [], notes: ['it was cordoned: the operator did nothing for it'] };
  }
  const all: FinalizeResult[] = [];
  for (const one of tasks) if (one.isDue(leaving)) all.push(await one.run(leaving));
  const due = all.flatMap(({ retryAfter }) => retryAfter ?? []);
  return {
    problems: all.flatMap(({ problems }) => problems),
    ...(due.length > 0 && { retryAfter: Math.min(...due) }),
    notes: all.flatMap(({ notes = [] }) => notes),
  };
}
