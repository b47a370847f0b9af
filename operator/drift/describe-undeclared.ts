import { formatObjectName } from './object-drift.ts';
import type { UndeclaredObject } from './undeclared-objects.ts';

/** The most subjects that a sentence names. */
const MOST_NAMED = 3;

/**
 * Describes an undeclared object or key: `RoleBinding pay-prod/root gives ClusterRole cluster-admin to User eve`,
 * `NetworkPolicy pay-prod/open (ingress from everywhere; for all pods)`, `Namespace pay-prod
 * metadata.labels.istio-injection: "enabled"`.
 */
export function describeUndeclared(one: Omit<UndeclaredObject, 'since'>): string {
  const { field, live, role, effect } = one;
  const name = formatObjectName(one);
  if (field !== undefined) {
    const value = live === undefined ? '' : `: ${live}`;
    return `${name} ${field}${value}`;
  }
  if (role !== undefined) return `${name} gives ${role} to ${subjectsOf(one)}`;
  return effect === undefined ? name : `${name} (${effect})`;
}

function subjectsOf({ subjects = [], moreSubjects = 0 }: UndeclaredObject): string {
  if (subjects.length === 0) return 'nobody';
  const named = subjects.slice(0, MOST_NAMED).join(', ');
  const more = subjects.length - MOST_NAMED + moreSubjects;
  return more > 0 ? `${named} and ${more} more` : named;
}
