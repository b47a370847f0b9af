import type { Fleet } from '../../constructs/tenant/fleet.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import { hasFinalizer } from '../../runtime/controller/object-life.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';
import type { TenantObjects } from '../cluster/tenant-objects.ts';
import type { HealClient } from '../heal/heal-access.ts';
import type { Problem } from '../heal/problem.ts';

/** On a Tenant that does not go before the operator has done something for it. */
export const FINALIZER = 'tenantry.dev/operator';

/** What a tenant is, when it is asked what there is to do before it goes. */
export interface FinalizeContext {
  readonly tenant: Live<typeof Tenant>;
  readonly fleet: Fleet;
  /** What the operator does about differences of it. */
  readonly policy: DriftPolicy;
  readonly cluster: string;
}

/** With what it is done. */
export interface FinalizeRun extends FinalizeContext {
  readonly objects: TenantObjects;
  readonly client: HealClient;
  /** Aborts when the operator stops. */
  readonly signal: AbortSignal;
  /** Milliseconds on the clock. */
  now(): number;
}

/** What came of it. */
export interface FinalizeResult {
  /** Why it is not done. None, and no `retryAfter`: it is. */
  readonly problems: readonly Problem[];
  /** Milliseconds after which there is something to try again. */
  readonly retryAfter?: number;
  /** What people are told when the tenant goes, a sentence each. @default - nothing */
  readonly notes?: readonly string[];
}

/** Something to do before a Tenant goes. */
export interface FinalizerTask {
  readonly name: string;
  /** Whether the Tenant must not go before: asked of one that is there, and when it is being deleted. */
  isDue(leaving: FinalizeContext): boolean;
  /** Does it, as far as that can be done now; it must take for done what is done already. */
  run(leaving: FinalizeRun): Promise<FinalizeResult>;
}

/** Whether a Tenant needs the finalizer. A cordoned one is left as it is. */
export function isFinalizerNeeded(
  tasks: readonly FinalizerTask[],
  leaving: FinalizeContext,
): boolean {
  const { tenant } = leaving;
  if (tenant.spec?.cordoned) return hasFinalizer(tenant, FINALIZER);
  return tasks.some((one) => one.isDue(leaving));
}

/** Does all that is due, whatever comes of each; nothing for a cordoned Tenant. */
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
