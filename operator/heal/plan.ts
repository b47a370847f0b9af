import { PRECREATED_SERVICE_ACCOUNTS } from '../../constructs/operator/access.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import type { KubeObject } from '../../kube/object.ts';
import { diffContent } from '../drift/difference.ts';
import { diffObject } from '../drift/object-drift.ts';
import { normalizeContent } from '../stored/content.ts';
import { hasMore, lowerShares, sharesOf, type SharedKeys } from './shares.ts';

/** An object that differs from its declaration. */
export interface HealCandidate {
  readonly object: KubeObject;
  /** Undefined if it does not exist. */
  readonly live: KubeObject | undefined;
}

/** One action on one object. */
export interface HealStep {
  /**
   * `create`: it does not exist. `complete`: a controller created it empty. `restore`: it is brought to its
   * declaration. `replace`: a binding references another role, which cannot be changed.
   */
  readonly type: 'create' | 'complete' | 'restore' | 'replace';
  readonly object: KubeObject;
  readonly live?: KubeObject;
  /** Set if the step raises a part of the tenant's total. It may only be applied if the total still fits. */
  readonly raises?: true;
}

/**
 * Plans how to bring objects to their declaration, in order: Namespaces, then quotas that are lowered in some resource,
 * then the rest in declared order, which puts limits before access. Nothing is deleted unless it is replaced at once.
 * Under `Create` the plan contains nothing but creations.
 * @param shared keys of quotas that are parts of a total
 */
export function planSteps(
  suspects: readonly HealCandidate[],
  policy: DriftPolicy,
  shared: SharedKeys,
): readonly HealStep[] {
  const steps = suspects.flatMap((one) => stepsFor(one, policy, shared));
  const rank = ({ object: { kind }, live, raises }: HealStep): number => {
    if (kind === 'Namespace') return 0;
    return kind === 'ResourceQuota' && live && !raises ? 1 : 2;
  };
  return steps.toSorted((a, b) => rank(a) - rank(b));
}

function stepsFor(
  { object, live }: HealCandidate,
  policy: DriftPolicy,
  shared: SharedKeys,
): HealStep[] {
  if (policy === 'Observe') return [];
  if (!live) {
    const raises = sharesOf(object, shared).size > 0;
    return [{ type: 'create', object, ...(raises && { raises }) }];
  }
  if (diffObject(object, live).length === 0) return [];
  if (policy === 'Create') {
    return isMadeEmpty(object, live) ? [{ type: 'complete', object, live }] : [];
  }
  if (hasAnotherRole(object, live)) return [{ type: 'replace', object, live }];
  if (!hasMore(object, live, shared)) return [{ type: 'restore', object, live }];
  const raise = { type: 'restore', object, live, raises: true } as const;
  if (!hasMore(live, object, shared)) return [raise];
  return [{ type: 'restore', object: lowerShares(object, live, shared), live }, raise];
}

/**
 * Whether a live object is an account that a controller creates in each new namespace, unchanged since. The controller
 * is nearly always faster than the creation of the declared account.
 */
function isMadeEmpty(object: KubeObject, live: KubeObject): boolean {
  const { name } = object.metadata;
  if (object.kind !== 'ServiceAccount' || !PRECREATED_SERVICE_ACCOUNTS.includes(name)) return false;
  return diffObject(object, live).every((one) => !('live' in one));
}

/** Whether a binding references another role. The API server does not allow changing it. */
function hasAnotherRole(object: KubeObject, live: KubeObject): boolean {
  if (object.kind !== 'RoleBinding') return false;
  return diffContent(normalizeContent(object)!, normalizeContent(live)!).some(
    ({ path }) => path[0] === 'roleRef',
  );
}
