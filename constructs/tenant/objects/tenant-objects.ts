import type { KubeObject } from '../../../kube/object.ts';
import type { Cluster } from '../declaration.ts';
import { buildFacts, buildSharedFacts, type SharedFacts } from './facts.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import { buildRoleBindings, buildRoles } from './roles.ts';
import { buildLimitRanges } from './limits.ts';
import { createMetadataFactory } from './metadata.ts';
import { buildNamespace } from './namespace.ts';
import { buildNetworkPolicies } from './network.ts';
import { buildNeighborQuotas } from './neighbor-quotas.ts';
import { buildQuotas, buildScopedQuotas } from './quota.ts';
import { buildRetentionAnnotations } from './staying.ts';
import { buildDisruptionBudgets, buildExtraObjects, buildServiceAccounts } from './workload.ts';

/** What all namespaces of a tenant on one cluster have in common. */
interface ClusterContext {
  readonly cluster: Cluster;
  readonly siblings: readonly ResolvedNamespace[];
  readonly names: readonly string[];
  readonly facts: SharedFacts;
}

/** Renders the objects of each namespace; what all namespaces of a cluster share is computed once. */
export function renderTenantObjects(resolved: ResolvedTenant): KubeObject[][] {
  const { namespaces, platform } = resolved;
  const byCluster = Map.groupBy(namespaces, ({ cluster }) => cluster);
  const surroundings = new Map(
    [...byCluster].map(([name, siblings]): [string, ClusterContext] => [
      name,
      {
        cluster: platform.clusters.find((one) => one.name === name)!,
        siblings,
        names: siblings.map((one) => one.name),
        facts: buildSharedFacts(resolved, siblings),
      },
    ]),
  );
  return namespaces.map((one) =>
    renderNamespaceObjects(resolved, one, surroundings.get(one.cluster)!),
  );
}

/**
 * Renders the objects of a namespace in the order in which they must be applied: the Namespace, its bounds, its
 * content, and access last. Quotas come after the other bounds, because they may count them. See
 * docs/adr/0019-bounds-before-access.md.
 */
function renderNamespaceObjects(
  resolved: ResolvedTenant,
  namespace: ResolvedNamespace,
  { cluster, siblings, names, facts }: ClusterContext,
): KubeObject[] {
  const { declaration, platform } = resolved;
  const staying = buildRetentionAnnotations(namespace, siblings);
  const metadata = createMetadataFactory(declaration.name, namespace.name, staying.content);
  const access = createMetadataFactory(declaration.name, namespace.name, staying.access);
  const bounds = [
    ...buildNetworkPolicies(namespace, metadata, cluster, names),
    ...buildLimitRanges(namespace, metadata),
  ];
  const content = [
    ...buildDisruptionBudgets(namespace, metadata),
    ...buildServiceAccounts(namespace, metadata),
    ...buildRoles(namespace, access),
    ...buildExtraObjects(namespace, metadata, platform),
    ...buildRoleBindings(namespace, access),
  ];
  const inside = [
    ...bounds,
    ...buildQuotas(namespace, metadata),
    ...buildScopedQuotas(namespace, metadata),
    ...buildNeighborQuotas(namespace, [...bounds, ...content], metadata),
    ...content,
  ];
  const read = buildFacts(declaration.name, namespace, inside, facts);
  const { metadataKeys } = platform;
  return [
    buildNamespace(declaration.name, namespace, metadataKeys, read, staying.namespace),
    ...inside,
  ];
}
