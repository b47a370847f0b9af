import { CLUSTERS } from '@tenantry/kube/construct-metadata';
import { groupOf } from '@tenantry/kube/object';

/**
 * Returns the folder of a tenant's part, relative to the folder of all its files. Namespaces are in
 * that folder itself.
 */
const partFolder = (part: Part): string => (part === 'namespaces' ? '' : `${part}/`);

/**
 * The paths of the output: one folder per cluster. The folders in it sort in the order in which
 * they must be applied. Adding a cluster, a tenant or a namespace moves no file.
 */
export const layout = {
  crd: (cluster: string, name: string) => `${CLUSTERS}/${cluster}/crds/${name}.yaml`,
  operator: (cluster: string) => `${CLUSTERS}/${cluster}/operator/operator.yaml`,
  /** Sorts after operator.yaml, which contains the namespace of both. */
  monitoring: (cluster: string) => `${CLUSTERS}/${cluster}/operator/telemetry.yaml`,
  policy: (cluster: string, name: string) => `${CLUSTERS}/${cluster}/policies/${name}.yaml`,
  tenantClass: (cluster: string, name: string) =>
    `${CLUSTERS}/${cluster}/tenantclasses/${name}.yaml`,
  tenant: (cluster: string, tenant: string) =>
    `${CLUSTERS}/${cluster}/tenants/${tenant}/tenant.yaml`,
  namespace: (cluster: string, tenant: string, namespace: string, part: Part = 'namespaces') =>
    `${CLUSTERS}/${cluster}/tenants/${tenant}/${partFolder(part)}namespace-${namespace}.yaml`,
  /** The path of a whole folder of a cluster. */
  folder: (cluster: string, name: string) => `${CLUSTERS}/${cluster}/${name}`,
  /**
   * The files for Argo CD. They are beside the clusters' folders because they are applied to Argo
   * CD's own cluster.
   */
  argocd: {
    bootstrap: 'argocd/bootstrap',
    rootFile: 'argocd/bootstrap/tenantry.yaml',
    clusterInRoot: (cluster: string) => `argocd/bootstrap/cluster-${cluster}.yaml`,
    cluster: (cluster: string) => `argocd/clusters/${cluster}`,
    clusterFile: (cluster: string, name: string) => `argocd/clusters/${cluster}/${name}.yaml`,
    /** The AppProjects of a cluster: what the Applications of each tenant may sync to it. */
    projects: (cluster: string) => `argocd/projects/${cluster}`,
    projectFile: (cluster: string, tenant: string) => `argocd/projects/${cluster}/${tenant}.yaml`,
    repositories: 'argocd/bootstrap/repositories.yaml',
    tenants: 'argocd/tenants',
    /** The file with what the tenant needs to deploy from its own repositories. */
    tenantFile: (tenant: string, name: 'project' | 'applications') =>
      `argocd/tenants/${tenant}/${name}.yaml`,
    /** Not synced: a part of an object that other people own, which a person applies. */
    settings: 'argocd/settings/argocd-cm.yaml',
  },
} as const;

/**
 * Groups the objects for a tenant on Argo CD's cluster by file, according to the kinds of
 * `renderArgoCDObjects`.
 */
export function groupArgoCDFiles<T extends { readonly kind: string }>(
  tenant: string,
  objects: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(objects, ({ kind }) =>
    layout.argocd.tenantFile(tenant, kind === 'AppProject' ? 'project' : 'applications'),
  );
}

const TENANT_FILE = new RegExp(
  `^${CLUSTERS}/(?<cluster>[^/]+)/tenants/(?<tenant>[^/]+)/(?:(?:rbac/|resources/)?namespace-(?<namespace>[^/]+)|tenant)[.]yaml$`,
);

/** Returns what a file of the output is about, or undefined if it is not a tenant's file. */
export function parseTenantFile(
  path: string,
): { cluster: string; tenant: string; namespace?: string } | undefined {
  const { cluster, tenant, namespace } = TENANT_FILE.exec(path)?.groups ?? {};
  if (cluster === undefined || tenant === undefined) return undefined;
  return { cluster, tenant, ...(namespace !== undefined && { namespace }) };
}

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
export function choosePart(object: { readonly apiVersion: string; readonly kind: string }): Part {
  const group = groupOf(object.apiVersion);
  if (group === 'rbac.authorization.k8s.io') return 'rbac';
  return namespaceKinds.has(`${group}/${object.kind}`) ? 'namespaces' : 'resources';
}
