import { clusterProjectName } from '../../tenant/objects/cluster-project.ts';
import type { Part } from '../../parts.ts';
import { ROOT_APPLICATION } from '../../tenant/argocd-names.ts';

/**
 * The names in Argo CD's namespace. Names of the platform's Applications contain no dot. Those of tenants contain one
 * dot or three, and those of repositories of tenants (`<namespace>.<cluster>.<application>`) two. So no two names are
 * equal, whatever the names of clusters, tenants and namespaces.
 */
export const names = {
  /** The Application that keeps all others, and the AppProject of those that keep Applications. */
  root: ROOT_APPLICATION,
  /** The Application of all objects of Argo CD for a cluster. */
  cluster: (cluster: string) => `tenantry-cluster-${cluster}`,
  /** The Application of a folder that each cluster has. */
  part: (part: string, cluster: string) => `tenantry-${part}-${cluster}`,
  /** The AppProject of these Applications. */
  platformProject: (cluster: string) => `tenantry-platform-${cluster}`,
  /** The ApplicationSet of one part of all tenants of a cluster. */
  tenants: (part: Part, cluster: string) => `tenantry-${part}-${cluster}`,
  /** The Application of the AppProjects of a cluster's tenants. */
  projects: (cluster: string) => `tenantry-projects-${cluster}`,
  /** The ApplicationSet of what tenants deploy from repositories of their own. */
  repositories: 'tenantry-repositories',
  /** The Application of a tenant's project and Applications. */
  repositoriesOf: (tenant: string) => `tenantry-repositories-${tenant}`,
  /** The Application of one part of a tenant on a cluster. */
  tenant: (part: Part, cluster: string, tenant: string) =>
    `${clusterProjectName(cluster, tenant)}${part === 'namespaces' ? '' : `.tenantry.${part}`}`,
  /** The AppProject of these Applications. */
  tenantProject: clusterProjectName,
} as const;
