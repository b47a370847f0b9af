import type * as meta from './api/meta.ts';
import type { Immutable } from './immutable.ts';
import { isQualifiedName } from './names.ts';
import { formatList, show } from './problem.ts';

type LabelSelector = Immutable<meta.LabelSelector>;

/**
 * Lists problems with a selector beyond its schema, by Kubernetes' own rules.
 * Source: k8s.io/apimachinery pkg/apis/meta/v1/validation ValidateLabelSelector
 */
export function listSelectorFaults(selector: LabelSelector | undefined): string[] {
  if (!selector) return [];
  const faults = Object.keys(selector.matchLabels ?? {})
    .filter((key) => !isQualifiedName(key))
    .map((key) => `must select by a label key such as 'example.com/name', got ${show(key)}`);
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (!isQualifiedName(key)) {
      faults.push(`must select by a label key such as 'example.com/name', got ${show(key)}`);
    }
    const lists = operator === 'In' || operator === 'NotIn';
    if (lists && values.length === 0) {
      faults.push(`must have values for ${operator} of ${show(key)}, got none`);
    }
    if (!lists && values.length > 0) {
      faults.push(`must have no values for ${operator} of ${show(key)}, got ${formatList(values)}`);
    }
  }
  return faults;
}
