import { tenantArgoCDFiles, layout } from '../constructs/layout.ts';
import type { DesiredTenant } from '../constructs/tenant/desired.ts';
import type { OutputFile } from '../synth/files.ts';

/** See `Unit.namespaces`. */
export function placesOf({ tenant, clusters, namespaces, argocd }: DesiredTenant): string[] {
  return [
    ...new Set(argocd.map(({ metadata }) => `/${metadata.namespace}`)),
    ...clusters.map((cluster) => `${cluster}/${tenant.kind}/${tenant.metadata.name}`),
    ...namespaces.map(({ cluster, name }) => `${cluster}/${name}`),
  ];
}

/** The files of tenants, in every cluster's folder of the output and in that for Argo CD. */
export function* filesOf(tenants: readonly DesiredTenant[]): Generator<OutputFile> {
  for (const { tenant, clusters, namespaces, argocd } of tenants) {
    const { name } = tenant.metadata;
    for (const cluster of clusters) {
      yield { path: layout.tenant(cluster, name), content: [tenant] };
    }
    for (const namespace of namespaces) {
      yield {
        path: layout.namespace(namespace.cluster, name, namespace.name),
        content: namespace.objects,
      };
    }
    for (const [path, content] of tenantArgoCDFiles(name, argocd)) yield { path, content };
  }
}
