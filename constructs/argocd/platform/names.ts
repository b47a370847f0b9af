/**
 * What things are called in Argo CD's namespace. Tenants' Applications have a dot in their names and those of
 * the platform none, so neither can have the other's, whatever clusters and tenants are called.
 */
export const names = {
  /** The Application that holds all others, and the AppProject of those that hold Applications. */
  root: 'tenantry',
  /** The Application of all that Argo CD has for a cluster. */
  cluster: (cluster: string) => `tenantry-cluster-${cluster}`,
  /** The Application of a folder that each cluster has. */
  part: (part: string, cluster: string) => `tenantry-${part}-${cluster}`,
  /** The AppProject of those. */
  platformProject: (cluster: string) => `tenantry-platform-${cluster}`,
  /** The ApplicationSet and the AppProject of the tenants of a cluster. */
  tenants: (cluster: string) => `tenantry-tenants-${cluster}`,
  /** The ApplicationSet of what tenants deploy from repositories of their own. */
  repositories: 'tenantry-repositories',
  /** The Application of a tenant's project and Applications. */
  repositoriesOf: (tenant: string) => `tenantry-repositories-${tenant}`,
  /** The Application of a tenant on a cluster. */
  tenant: (cluster: string, tenant: string) => `${cluster}.${tenant}`,
} as const;
