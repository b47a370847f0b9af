import type { KubeObject } from '@tenantry/kube/object';
import { tenant as tenantKind } from '../../crds/tenant.ts';
import { RESOURCES_FINALIZER } from '@tenantry/kube/argocd-directives';
import { addTenantryLabels } from '../ownership.ts';
import { resolveServer, escapeServerPattern } from '../argocd-names.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';

/** What a tenant may sync to one cluster, as Argo CD enforces it. */
export interface ClusterProject {
  readonly cluster: string;
  readonly object: KubeObject;
}

/**
 * Returns the name of the Application of a tenant's namespaces on a cluster, and of the AppProject of all its
 * Applications there. Clusters and tenants are DNS labels, so no other pair has the name.
 */
export function clusterProjectName(cluster: string, tenant: string): string {
  return `${cluster}.${tenant}`;
}

/**
 * Builds an AppProject for each cluster of a tenant, whose destinations are the tenant's own namespaces there. So a
 * file that somebody adds to the tenant's folder reaches no other namespace. An object in another namespace that names
 * one of the tenant's Applications is not part of it.
 *
 * Of cluster-scoped objects, the Namespaces themselves and the Tenant are allowed, by name. All namespaced kinds are
 * allowed: a list that follows what is rendered would leave earlier kinds in the cluster. Argo CD's own kinds are not
 * allowed, because their authors control Argo CD.
 *
 * None without `argocd.source`.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/projects/
 */
export function buildClusterProjects({
  declaration,
  namespaces,
  platform,
}: ResolvedTenant): ClusterProject[] {
  const { argocdSource: source, argocdNamespace, clusters } = platform;
  if (!source) return [];
  const byCluster = Map.groupBy(namespaces, ({ cluster }) => cluster);
  return clusters.flatMap((entry) => {
    const own = byCluster.get(entry.name);
    const address = resolveServer(entry);
    if (!own || address === undefined) return [];
    const server = escapeServerPattern(address);
    const names = own.map(({ name }) => name).toSorted();
    const metadata = {
      name: clusterProjectName(entry.name, declaration.name),
      namespace: argocdNamespace,
      // An Application without its project deletes nothing.
      finalizers: [RESOURCES_FINALIZER],
    };
    const object = addTenantryLabels({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata,
      spec: {
        description: `Tenant ${declaration.name} on cluster ${entry.name}.`,
        sourceRepos: [source.repoURL],
        // The first destination is for the Applications, which name no namespace.
        destinations: [{ server }, ...names.map((namespace) => ({ server, namespace }))],
        clusterResourceWhitelist: [
          ...names.map((name) => ({ group: '', kind: 'Namespace', name })),
          { group: tenantKind.group, kind: tenantKind.kind, name: declaration.name },
        ],
        namespaceResourceBlacklist: [{ group: 'argoproj.io', kind: '*' }],
      },
    });
    return [{ cluster: entry.name, object }];
  });
}
