import { groupArgoCDFiles, layout, partOf, PARTS } from '../constructs/layout.ts';
import type { DesiredTenant } from '../constructs/tenant/desired.ts';
import type { OutputFile } from '../synth/files.ts';

/** See `Unit.namespaces`. */
export function listUnitNamespaces(desired: DesiredTenant): string[] {
  const { tenant, clusters, namespaces, argocd, projects } = desired;
  const onArgoCD = [...argocd, ...projects.map(({ object }) => object)];
  return [
    ...new Set(onArgoCD.map(({ metadata }) => `/${metadata.namespace}`)),
    ...clusters.map((cluster) => `${cluster}/${tenant.kind}/${tenant.metadata.name}`),
    ...namespaces.map(({ cluster, name }) => `${cluster}/${name}`),
  ];
}

/** Renders the files of tenants in the folder of every cluster, and in the one for Argo CD. */
export function* renderTenantFiles(tenants: readonly DesiredTenant[]): Generator<OutputFile> {
  for (const { tenant, clusters, namespaces, argocd, projects } of tenants) {
    const { name } = tenant.metadata;
    for (const cluster of clusters) {
      yield { path: layout.tenant(cluster, name), content: [tenant] };
    }
    for (const namespace of namespaces) {
      const byPart = Map.groupBy(namespace.objects, partOf);
      for (const part of PARTS) {
        const path = layout.namespace(namespace.cluster, name, namespace.name, part);
        // Argo CD could miss the removal of a file.
        yield { path, content: byPart.get(part) ?? [] };
      }
    }
    for (const [path, content] of groupArgoCDFiles(name, argocd)) yield { path, content };
    for (const { cluster, object } of projects) {
      yield { path: layout.argocd.projectFile(cluster, name), content: [object] };
    }
  }
}
