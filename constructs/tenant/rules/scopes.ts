import { formatBrief, show } from '../../../kube/problem.ts';
import { isLabelValue } from '../../../kube/names.ts';
import type { ScopedQuota } from '../../../crds/tenantry/quota.ts';
import { isExtendedRequest } from './quota-keys.ts';

const computeResources = /^((requests|limits)\.)?(cpu|memory)$/;
const exclusive = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/**
 * Lists problems with the scopes of a quota, by Kubernetes' own rules.
 * Source: k8s.io/kubernetes pkg/apis/core/validation ValidateResourceQuotaSpec
 */
export function listScopeFaults({ hard, scopes = [], scopeSelector = [] }: ScopedQuota): string[] {
  const faults: string[] = [];
  if (scopes.length + scopeSelector.length === 0) {
    faults.push('must have scopes or a scopeSelector');
  }
  const all = [...scopes, ...scopeSelector.map(({ scopeName }) => scopeName)];
  for (const [one, other] of exclusive) {
    if (all.includes(one) && all.includes(other)) {
      faults.push(`must have either ${one} or ${other}, got both`);
    }
  }
  for (const { scopeName, operator, values = [] } of scopeSelector) {
    const lists = operator === 'In' || operator === 'NotIn';
    if (scopeName !== 'PriorityClass' && operator !== 'Exists') {
      faults.push(`must have the operator Exists for scope ${scopeName}, got ${operator}`);
    } else if (lists !== values.length > 0) {
      faults.push(`must have ${lists ? 'values' : 'no values'} for ${operator} of ${scopeName}`);
    }
    // The API server accepts such values, but the comparison with a pod then fails, and no pod is ever admitted.
    const odd = values.find((value) => !isLabelValue(value));
    if (odd !== undefined) faults.push(`must have names as values, got ${show(odd)}`);
  }
  for (const key of Object.keys(hard)) {
    for (const scope of new Set(all)) {
      if (!countsKey(scope, key))
        faults.push(
          `must not bound ${formatBrief(key)} in scope ${scope}, which does not count it`,
        );
    }
  }
  return faults;
}

/**
 * Whether a scope counts a key: scopes are about pods. Source: k8s.io/kubernetes pkg/quota/v1/evaluator/core
 * podEvaluator
 */
function countsKey(scope: string, key: string): boolean {
  if (key === 'pods' || key === 'count/pods' || isExtendedRequest(key)) return true;
  return scope !== 'BestEffort' && computeResources.test(key);
}
