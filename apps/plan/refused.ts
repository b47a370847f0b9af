import { findChangedImmutableFields } from '../../kube/fixed-fields.ts';
import { formatList } from '../../kube/problem.ts';
import { definePlanRules, type ReportChange } from './change.ts';
import type { ClusterChange } from './pairs.ts';

const rules = definePlanRules('delivery', {
  refused: [
    'change-refused',
    'high',
    'a change that the API server rejects for an existing object: the object keeps its state, and each sync of its folder fails until the change is reverted',
  ],
});

export const refusedRules = Object.values(rules);

/** Reports changes that the API server refuses, so that they need an object with another name. */
export function judgeRefused({ pairs }: ClusterChange, tell: ReportChange): void {
  for (const { where, before, after } of pairs) {
    if (!before || !after) continue;
    const fields = findChangedImmutableFields(before.object, after.object);
    if (fields.length === 0) continue;
    const { kind, metadata } = after.object;
    const message = `changes at ${formatList(fields)}, which the API server refuses of one that is there: give it another name`;
    tell(rules.refused, `${kind} ${metadata.name}`, message, where);
  }
}
