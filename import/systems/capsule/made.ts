import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { CAPSULE_GROUP, CREATED_BY, MANAGED_BY, OLD_CREATED_BY } from './keys.ts';

const owners: ReadonlySet<unknown> = new Set(['Tenant', 'RuleStatus', 'ResourcePool']);

/**
 * Whether Capsule made an object: its controllers label what they make, and own it for a Tenant or a ResourcePool. The
 * label `capsule.clastix.io/managed-by` decides nothing: the webhook adds it to what users make.
 *
 * Source: internal/controllers/tenant, internal/controllers/resourcepools, pkg/api/processor
 */
export function isMade({ metadata }: KubeObject): boolean {
  const { labels = {} } = metadata;
  if (labels[MANAGED_BY] === 'controller' || labels[CREATED_BY] !== undefined) return true;
  if (labels[OLD_CREATED_BY] !== undefined) return true;
  const { ownerReferences } = metadata as { readonly ownerReferences?: unknown };
  if (!Array.isArray(ownerReferences)) return false;
  return (ownerReferences as readonly (Record<string, unknown> | null)[]).some(
    (owner) =>
      owners.has(owner?.['kind']) &&
      groupOf(String(owner?.['apiVersion'] ?? '')) === CAPSULE_GROUP &&
      owner?.['controller'] === true,
  );
}
