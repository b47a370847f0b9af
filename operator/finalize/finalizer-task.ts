import type { Fleet } from '../../model/fleet.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import { hasFinalizer } from '@tenantry/runtime/controller/object-reconciler';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { Tenant } from '../cluster/kinds.ts';
import type { TenantObjects } from '../cluster/tenant-objects.ts';
import type { HealClient } from '../heal/policy.ts';
import type { Problem } from '../heal/attempts.ts';
import { parseAppObjects } from '../../model/app-objects.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import { formatList } from '@tenantry/kube/problem';
import { toDeclaration, findLifecycle } from '../fleet/declarations.ts';
import type { DeclaredState } from '../drift/tenant-drift.ts';
import { isAppliedFromGit } from '../heal/revoker.ts';
import type { Healer } from '../heal/healer.ts';

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
  isDue(deletion: FinalizeContext): boolean;
  /** Runs as much of the task as is possible now. It must recognize what is done already. */
  run(deletion: FinalizeRun): Promise<FinalizeResult>;
}

/** Whether a Tenant needs the finalizer. A cordoned Tenant is left unchanged. */
export function isFinalizerNeeded(
  tasks: readonly FinalizerTask[],
  deletion: FinalizeContext,
): boolean {
  const { tenant } = deletion;
  if (tenant.spec?.cordoned) return hasFinalizer(tenant, FINALIZER);
  return tasks.some((one) => one.isDue(deletion));
}

/** Runs all tasks that are due, even if some fail; none for a cordoned Tenant. */
export async function runFinalizerTasks(
  tasks: readonly FinalizerTask[],
  deletion: FinalizeRun,
): Promise<FinalizeResult> {
  if (deletion.tenant.spec?.cordoned) {
    return { problems: [], notes: ['it was cordoned: the operator did nothing for it'] };
  }
  const all: FinalizeResult[] = [];
  for (const one of tasks) if (one.isDue(deletion)) all.push(await one.run(deletion));
  const due = all.flatMap(({ retryAfter }) => retryAfter ?? []);
  return omitUndefined({
    problems: all.flatMap(({ problems }) => problems),
    retryAfter: due.length > 0 ? Math.min(...due) : undefined,
    notes: all.flatMap(({ notes = [] }) => notes),
  });
}

/**
 * Creates the finalizer task that revokes undeclared access of a healed tenant; for a Retired one, all access. Its
 * namespaces stay, with all their limits: nothing is deleted but role bindings.
 */
export function createRevokeAccessTask(healer: Healer): FinalizerTask {
  return {
    name: 'access',
    isDue: (deletion) => deletion.policy === 'Heal' || isUnknown(deletion),
    async run(deletion) {
      const { tenant, objects, client } = deletion;
      const now = (): number => deletion.now();
      const revoking = { tenant, declared: computeDeclaredState(deletion), objects, client, now };
      const { problems, retryAfter } = await healer.revoke(revoking);
      return omitUndefined({
        problems,
        retryAfter,
        ...describeRemainingNamespaces(deletion),
      });
    },
  };
}

/** Whether it is not known if the tenant was healed, because its class is gone. The finalizer shows that it was. */
function isUnknown({ tenant, fleet }: FinalizeContext): boolean {
  if (tenant.spec?.driftPolicy !== undefined || !hasFinalizer(tenant, FINALIZER)) return false;
  return 'severity' in fleet.classes.resolve(toDeclaration(tenant));
}

function computeDeclaredState({
  tenant,
  fleet,
  cluster,
}: FinalizeContext): DeclaredState | undefined {
  const wanted = fleet.desired(toDeclaration(tenant));
  if (wanted.findings.some(({ severity }) => severity === 'error')) return undefined;
  const here = wanted.namespaces.filter((one) => one.cluster === cluster);
  return {
    tenant: tenant.metadata.name,
    namespaces: here.map(({ name }) => name),
    objects: here.flatMap((one) => one.objects),
    appObjects: parseAppObjects(tenant.metadata),
  };
}

function describeRemainingNamespaces({
  tenant,
  objects,
}: FinalizeRun): Pick<FinalizeResult, 'notes'> {
  const names = objects.namespacesOf(tenant.metadata.name).toSorted();
  const notes = (['Active', 'Suspended', 'Retired'] as const).flatMap((lifecycle) => {
    const ones = names.filter((name) => findLifecycle(tenant, name) === lifecycle);
    if (ones.length === 0) return [];
    const what = lifecycle === 'Active' && isAppliedFromGit(tenant) ? fromGit : access[lifecycle];
    return [`${formatList(ones)} (${lifecycle}) ${ones.length > 1 ? 'stay' : 'stays'}, ${what}`];
  });
  return { notes };
}

/** The GitOps tool that applied the Tenant removes that access as well, before or after it. */
const fromGit = 'with quotas and network policies, and no access but what Argo CD or Flux leave';

const access = {
  Active: 'with quotas, network policies and access as declared',
  Suspended: 'with quotas and network policies, and without access for its users',
  Retired: 'with quotas and network policies, and without any access that was declared',
};
