import { CLUSTERS } from '../kube/output.ts';
import type { Part } from './parts.ts';

/** The folder of a tenant, as a path from the folder of all its files: that of namespaces is the folder itself. */
const partFolder = (part: Part): string => (part === 'namespaces' ? '' : `${part}/`);

/**
 * Where things lie in the output: one folder a cluster, in it folders whose names sort in the order
 * in which they have to be applied. Adding a cluster, a tenant or a namespace moves no file.
 */
export const layout = {
  crd: (cluster: string, name: string) => `${CLUSTERS}/${cluster}/crds/${name}.yaml`,
  operator: (cluster: string) => `${CLUSTERS}/${cluster}/operator/operator.yaml`,
  /** After operator.yaml by name, which has the namespace of both. */
  monitoring: (cluster: string) => `${CLUSTERS}/${cluster}/operator/telemetry.yaml`,
  policy: (cluster: string, name: string) => `${CLUSTERS}/${cluster}/policies/${name}.yaml`,
  tenantClass: (cluster: string, name: string) =>
    `${CLUSTERS}/${cluster}/tenantclasses/${name}.yaml`,
  tenant: (cluster: string, tenant: string) =>
    `${CLUSTERS}/${cluster}/tenants/${tenant}/tenant.yaml`,
  namespace: (cluster: string, tenant: string, namespace: string, part: Part = 'namespaces') =>
    `${CLUSTERS}/${cluster}/tenants/${tenant}/${partFolder(part)}namespace-${namespace}.yaml`,
  /** A folder of a cluster as a whole. */
  folder: (cluster: string, name: string) => `${CLUSTERS}/${cluster}/${name}`,
  /** What Argo CD is told of all these: beside them, since it is for Argo CD's own cluster. */
  argocd: {
    bootstrap: 'argocd/bootstrap',
    rootFile: 'argocd/bootstrap/tenantry.yaml',
    clusterInRoot: (cluster: string) => `argocd/bootstrap/cluster-${cluster}.yaml`,
    cluster: (cluster: string) => `argocd/clusters/${cluster}`,
    clusterFile: (cluster: string, name: string) => `argocd/clusters/${cluster}/${name}.yaml`,
    /** What each tenant of a cluster may sync to it: the projects of its Applications. */
    projects: (cluster: string) => `argocd/projects/${cluster}`,
    projectFile: (cluster: string, tenant: string) => `argocd/projects/${cluster}/${tenant}.yaml`,
    repositories: 'argocd/bootstrap/repositories.yaml',
    tenants: 'argocd/tenants',
    /** What it needs to deploy from the tenant's own repositories. */
    tenantFile: (tenant: string, name: 'project' | 'applications') =>
      `argocd/tenants/${tenant}/${name}.yaml`,
    /** Beside what is synced: a part of an object that others have, for a person to apply. */
    settings: 'argocd/settings/argocd-cm.yaml',
  },
} as const;

/** The files of what lies on Argo CD's cluster for a tenant, by the kinds of `renderArgoCDObjects`. */
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

/** What a file of the output is about, or undefined when it is no tenant's. */
export function parseTenantFile(
  path: string,
): { cluster: string; tenant: string; namespace?: string } | undefined {
  const { cluster, tenant, namespace } = TENANT_FILE.exec(path)?.groups ?? {};
  if (cluster === undefined || tenant === undefined) return undefined;
  return { cluster, tenant, ...(namespace !== undefined && { namespace }) };
}
