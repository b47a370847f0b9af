import { groupOf } from '../kube/object.ts';

/**
 * The three parts of a tenant on a cluster. Each has a folder of its own, which Argo CD syncs by an Application of its
 * own, so that no fault in one part delays another (docs/adr/0087-access-has-its-own-application.md):
 *
 * - `namespaces`: the Tenant, the Namespaces, what bounds them, their ServiceAccounts
 * - `rbac`: who has access
 * - `resources`: everything else
 *
 * The Tenant is not in `rbac`: the operator, which takes access away by it, then depends on no sync of that part.
 */
export const PARTS = ['namespaces', 'rbac', 'resources'] as const;
export type Part = (typeof PARTS)[number];

const namespaceKinds: ReadonlySet<string> = new Set([
  'tenantry.dev/Tenant',
  '/Namespace',
  '/ResourceQuota',
  '/LimitRange',
  '/ServiceAccount',
  'networking.k8s.io/NetworkPolicy',
  'policy/PodDisruptionBudget',
]);

/**
 * The part to which an object belongs. Its kind alone decides, so no object ever moves from one Application to another,
 * which would prune it.
 */
export function partOf(object: { readonly apiVersion: string; readonly kind: string }): Part {
  const group = groupOf(object.apiVersion);
  if (group === 'rbac.authorization.k8s.io') return 'rbac';
  return namespaceKinds.has(`${group}/${object.kind}`) ? 'namespaces' : 'resources';
}
