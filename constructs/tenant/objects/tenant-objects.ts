import type { KubeObject } from '../../../kube/object.ts';
import type { Cluster } from '../declaration.ts';
import { factsOf, sharedFacts, type SharedFacts } from './facts.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import { roleBindingObjects, roleObjects } from './roles.ts';
import { limitRangeObjects } from './limits.ts';
import { metadataIn } from './metadata.ts';
import { namespaceObject } from './namespace.ts';
import { networkPolicyObjects } from './network.ts';
import { neighborQuotaObjects } from './neighbor-quotas.ts';
import { quotaObjects, scopedQuotaObjects } from './quota.ts';
import { stayingOf } from './staying.ts';
import { disruptionBudgetObjects, extraObjects, serviceAccountObjects } from './workload.ts';

/** What all namespaces of a tenant on one cluster have in common. */
interface Surroundings {
  readonly cluster: Cluster;
  readonly siblings: readonly ResolvedNamespace[];
  readonly names: readonly string[];
  readonly facts: SharedFacts;
}

/** What each of the namespaces consists of; what all of a cluster have in common is found once. */
export function tenantObjects(resolved: ResolvedTenant): KubeObject[][] {
  const { namespaces, platform } = resolved;
  const byCluster = Map.groupBy(namespaces, ({ cluster }) => cluster);
  const surroundings = new Map(
    [...byCluster].map(([name, siblings]): [string, Surroundings] => [
      name,
      {
        cluster: platform.clusters.find((one) => one.name === name)!,
        siblings,
        names: siblings.map((one) => one.name),
        facts: sharedFacts(resolved, siblings),
      },
    ]),
  );
  return namespaces.map((one) => namespaceObjects(resolved, one, surroundings.get(one.cluster)!));
}

/**
 * Everything in a namespace, in the order in which it has to be applied: the Namespace; what bounds
 * it; what is in it; who has access, last of all. Quotas come after the other bounds, as they may
 * count them. See docs/adr/0019-bounds-before-access.md.
 */
function namespaceObjects(
  resolved: ResolvedTenant,
  namespace: ResolvedNamespace,
  { cluster, siblings, names, facts }: Surroundings,
): KubeObject[] {
  const { declaration, platform } = resolved;
  const staying = stayingOf(namespace, siblings);
  const metadata = metadataIn(declaration.name, namespace.name, staying.content);
  const access = metadataIn(declaration.name, namespace.name, staying.access);
  const bounds = [
    ...networkPolicyObjects(namespace, metadata, cluster, names),
    ...limitRangeObjects(namespace, metadata),
  ];
  const content = [
    ...disruptionBudgetObjects(namespace, metadata),
    ...serviceAccountObjects(namespace, metadata),
    ...roleObjects(namespace, access),
    ...extraObjects(namespace, metadata, platform),
    ...roleBindingObjects(namespace, access),
  ];
  const inside = [
    ...bounds,
    ...quotaObjects(namespace, metadata),
    ...scopedQuotaObjects(namespace, metadata),
    ...neighborQuotaObjects(namespace, [...bounds, ...content], metadata),
    ...content,
  ];
  const read = factsOf(declaration.name, namespace, inside, facts);
  const { metadataKeys } = platform;
  return [
    namespaceObject(declaration.name, namespace, metadataKeys, read, staying.namespace),
    ...inside,
  ];
}
