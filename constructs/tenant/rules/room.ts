import { groupOf, type KubeObject } from '../../../kube/object.ts';
import { show } from '../../../kube/problem.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { countedKinds } from '../../../kube/quota-keys.ts';
import { isNeighborQuota } from '../neighbor-quotas.ts';
import type { RuleContext } from './context.ts';

/** What Kubernetes itself puts into every namespace. */
const builtinObjects: Readonly<Record<string, readonly string[]>> = {
  '/ConfigMap': ['kube-root-ca.crt'],
  '/ServiceAccount': ['default'],
};

/**
 * A quota that counts what is rendered into its namespace has room for all of it: otherwise the API
 * server refuses the rest, which can be a policy that isolates it, or another quota.
 */
export function checkQuotaRoom(
  { namespace, where, report }: RuleContext,
  objects: readonly KubeObject[],
): void {
  const { hard } = namespace.settings.quota;
  for (const [key, bound] of Object.entries(hard)) {
    const counted = countedKinds.get(key);
    if (counted === undefined) continue;
    // A bound of quotas is rendered with room for those that bound what a tenant does to others.
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
