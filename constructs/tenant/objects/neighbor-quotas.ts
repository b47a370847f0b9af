import type { KubeObject } from '../../../kube/object.ts';
import { allowsUncountedObjects } from '../classes/pod-openings.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';
import { listPodQuotas, OBJECTS_QUOTA } from '../neighbor-quotas.ts';
import type { MetadataFactory } from './metadata.ts';
import { computeObjectCounts } from './object-counts.ts';
import { buildResourceQuota, buildScopedSpec, stringifyQuantities } from './quota.ts';

/**
 * The ResourceQuotas that bound what a tenant does to others: its objects are counted whatever their
 * kind, and its pods neither outrank the pods of others nor keep them off nodes. Kubernetes enforces
 * them against everybody, with nothing of Tenantry running.
 * See docs/adr/0094-neighbors-are-bounded-by-quotas.md.
 * @param rendered what the platform has in the namespace besides
 */
export function buildNeighborQuotas(
  { settings, klass }: ResolvedNamespace,
  rendered: readonly KubeObject[],
  metadata: MetadataFactory,
): KubeObject[] {
  const { spec } = klass;
  const counts = allowsUncountedObjects(spec) ? {} : computeObjectCounts(settings.quota, rendered);
  return [
    ...(Object.keys(counts).length > 0
      ? [buildResourceQuota(metadata(OBJECTS_QUOTA), { hard: stringifyQuantities(counts) })]
      : []),
    ...listPodQuotas(spec).map((quota) =>
      buildResourceQuota(metadata(quota.name), buildScopedSpec(quota)),
    ),
  ];
}
