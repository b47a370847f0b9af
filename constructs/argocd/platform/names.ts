import { clusterProjectName } from '../../tenant/objects/cluster-project.ts';
import type { Part } from '../../parts.ts';
import { ROOT_APPLICATION } from '../../tenant/reserved-keys.ts';

/**
 * What things are called in Argo CD's namespace. Applications of the platform have no dot in their names. Those of
 * tenants have one dot or three, and those of repositories of tenants (`<namespace>.<cluster>.<application>`) two. So
 * no two are called alike, whatever clusters, tenants and namespaces are called.
 */
export const names = {
  /** The Application that holds all others, and the AppProject of those that hold Applications. */
  root: ROOT_APPLICATION,
  /** The Application of all that Argo CD has for a cluster. */
  cluster: (cluster: string) => `tenantry-cluster-${cluster}`,
  /** The Application of a folder that each cluster has. */
  part: (part: string, cluster: string) => `tenantry-${part}-${cluster}`,
  /** The AppProject of those. */
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
