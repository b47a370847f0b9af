import { groupOf, type KubeObject } from '../../../kube/object.ts';
import { show } from '../../../kube/problem.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { countedKinds } from '../../../kube/quota-keys.ts';
import { isNeighborQuota } from '../neighbor-quotas.ts';
import type { RuleContext } from './context.ts';

/** The objects that Kubernetes itself creates in every namespace. */
const builtinObjects: Readonly<Record<string, readonly string[]>> = {
  '/ConfigMap': ['kube-root-ca.crt'],
  '/ServiceAccount': ['default'],
};

/**
 * Validates that a quota has room for all rendered objects of its namespace that it counts. Otherwise the API server
 * refuses the rest, which can be a policy that isolates the namespace, or another quota.
 */
export function checkQuotaRoom(
  { namespace, where, report }: RuleContext,
  objects: readonly KubeObject[],
): void {
  const { hard } = namespace.settings.quota;
  for (const [key, bound] of Object.entries(hard)) {
    const counted = countedKinds.get(key);
    if (counted === undefined) continue;
    // A bound on quotas is rendered with room for those that bound a tenant's effect on others.
    const names = objects
      .filter(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}` === counted)
      .filter((object) => !isNeighborQuota(object))
      .map(({ metadata }) => metadata.name);
    const count = new Set([...names, ...(builtinObjects[counted] ?? [])]).size;
    if (parseQuantity(bound)! >= parseQuantity(count)!) continue;
    report(
      where('quota', 'hard', key),
      `must be at least ${count} for ${key}, which namespace ${namespace.name} has from the start, got ${show(bound)}`,
      'quota-room',
    );
  }
}
