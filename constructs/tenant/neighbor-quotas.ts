import type { ScopedQuota } from '../../crds/tenantry/quota.ts';
import type { TenantClassSpec } from '../../crds/tenantry/tenant-class.ts';
import { groupOf, type KubeObject } from '../../kube/object.ts';
import {
  allowsCrossNamespaceAffinity,
  allowsUncountedObjects,
  selectRefusedPriorities,
} from './classes/pod-openings.ts';

/** The name of the quota that counts what no other one names. */
export const OBJECTS_QUOTA = 'tenant-objects';
const AFFINITY_QUOTA = 'tenant-affinity';
const PRIORITY_QUOTA = 'tenant-priority';

const names: ReadonlySet<string> = new Set([OBJECTS_QUOTA, AFFINITY_QUOTA, PRIORITY_QUOTA]);

/** Lists the quotas that admit no pods of a scope, so that no tenant keeps the pods of others off nodes. */
export function listPodQuotas(spec: TenantClassSpec): readonly ScopedQuota[] {
  const hard = { pods: 0 };
  const priorities = selectRefusedPriorities(spec);
  return [
    ...(allowsCrossNamespaceAffinity(spec)
      ? []
      : [{ name: AFFINITY_QUOTA, hard, scopes: ['CrossNamespacePodAffinity'] as const }]),
    ...(priorities ? [{ name: PRIORITY_QUOTA, hard, scopeSelector: priorities }] : []),
  ];
}

/** Lists the names of the quotas that bound the effect of a tenant of the class on others. */
export function listNeighborQuotaNames(spec: TenantClassSpec): readonly string[] {
  const counting = allowsUncountedObjects(spec) ? [] : [OBJECTS_QUOTA];
  return [...counting, ...listPodQuotas(spec).map(({ name }) => name)];
}

/** Whether a quota in a tenant's namespace has the name of one that bounds the tenant's effect on others. */
export function isNeighborQuotaName(name: string): boolean {
  return names.has(name);
}

/** Whether an object is one of the quotas that bound a tenant's effect on others. */
export function isNeighborQuota({ apiVersion, kind, metadata }: KubeObject): boolean {
  return (
    kind === 'ResourceQuota' && groupOf(apiVersion) === '' && isNeighborQuotaName(metadata.name)
  );
}
