import type { KubeObject } from '../../../kube/object.ts';
import { allowsUncountedObjects } from '../classes/pod-openings.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';
import { listPodQuotas, OBJECTS_QUOTA } from '../neighbor-quotas.ts';
import type { MetadataFactory } from './metadata.ts';
import { computeObjectCounts } from './object-counts.ts';
import { buildResourceQuota, buildScopedSpec, stringifyQuantities } from './quota.ts';

/**
 * Builds the ResourceQuotas that bound a tenant's effect on others. They count its objects of every kind. Its pods
 * neither outrank the pods of others nor keep them off nodes. Kubernetes enforces the quotas for everybody, without a
 * running component of Tenantry. See docs/adr/0094-quotas-protect-neighbors.md.
 * @param rendered the platform's other objects in the namespace
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
