import { parseAppObjects } from '../../constructs/tenant/app-objects.ts';
import { formatList } from '../../kube/problem.ts';
import { hasFinalizer } from '../../runtime/controller/object-life.ts';
import { declarationOf } from '../fleet/claimants.ts';
import type { DeclaredState } from '../drift/tenant-drift.ts';
import { isAppliedFromGit } from '../heal/applied-from-git.ts';
import type { Healer } from '../heal/healer.ts';
import { lifecycleOf } from '../fleet/lifecycle.ts';
import {
  FINALIZER,
  type FinalizeResult,
  type FinalizerTask,
  type FinalizeContext,
  type FinalizeRun,
} from './finalizer-task.ts';

/**
 * Creates the finalizer task that revokes undeclared access of a healed tenant; for a Retired one, all access. Its
 * namespaces stay, with all their limits: nothing is deleted but role bindings.
 */
export function createRevokeAccessTask(healer: Healer): FinalizerTask {
  return {
    name: 'access',
    isDue: (leaving) => leaving.policy === 'Heal' || isUnknown(leaving),
    async run(leaving) {
      const { tenant, objects, client } = leaving;
      const now = (): number => leaving.now();
      const revoking = { tenant, declared: declaredOf(leaving), objects, client, now };
      const { problems, retryAfter } = await healer.revoke(revoking);
      return {
        problems,
        ...(retryAfter !== undefined && { retryAfter }),
        ...describeRemainingNamespaces(leaving),
      };
    },
  };
}

/** Whether it is not known if the tenant was healed, because its class is gone. The finalizer shows that it was. */
function isUnknown({ tenant, fleet }: FinalizeContext): boolean {
  if (tenant.spec?.driftPolicy !== undefined || !hasFinalizer(tenant, FINALIZER)) return false;
  return 'severity' in fleet.classOf(declarationOf(tenant));
}

function declaredOf({ tenant, fleet, cluster }: FinalizeContext): DeclaredState | undefined {
  const wanted = fleet.desired(declarationOf(tenant));
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
    const ones = names.filter((name) => lifecycleOf(tenant, name) === lifecycle);
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
