import { PRECREATED_SERVICE_ACCOUNTS } from '../../constructs/operator/access.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import type { KubeObject } from '../../kube/object.ts';
import { diffContent } from '../drift/difference.ts';
import { diffObject } from '../drift/object-drift.ts';
import { normalizeContent } from '../stored/content.ts';
import { hasMore, lowerShares, sharesOf, type SharedKeys } from './shares.ts';

/** An object that is not as it is declared. */
export interface HealCandidate {
  readonly object: KubeObject;
  /** Undefined: it is not there. */
  readonly live: KubeObject | undefined;
}

/** One thing to do, about one object. */
export interface HealStep {
  /**
   * Create: it is not there. Complete: a controller made it empty. Restore: it is to be as the object says. Replace: it
   * is a binding of another role, which cannot be changed.
   */
  readonly type: 'create' | 'complete' | 'restore' | 'replace';
  readonly object: KubeObject;
  readonly live?: KubeObject;
  /** The tenant would have more of its total than before: it may only be done where that fits. */
  readonly raises?: true;
}

/**
 * What to do about objects that are not as they are declared, in order: Namespaces, then the quotas of which
 * something is lowered, then the rest as it is declared, which is bounds before access. Nothing of it deletes
 * what is not replaced at once, and to create is all that is done under that policy.
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
 * Whether a live object is an account that a controller makes in each new namespace, and nobody has said anything else
 * in it since. The controller is nearly always faster than who creates the account.
 */
function isMadeEmpty(object: KubeObject, live: KubeObject): boolean {
  const { name } = object.metadata;
  if (object.kind !== 'ServiceAccount' || !PRECREATED_SERVICE_ACCOUNTS.includes(name)) return false;
  return diffObject(object, live).every((one) => !('live' in one));
}

/** The API server changes no role of a binding. */
function hasAnotherRole(object: KubeObject, live: KubeObject): boolean {
  if (object.kind !== 'RoleBinding') return false;
  return diffContent(normalizeContent(object)!, normalizeContent(live)!).some(
    ({ path }) => path[0] === 'roleRef',
  );
}
