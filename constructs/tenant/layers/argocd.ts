import type { Path } from '../../../kube/problem.ts';
import type {
  GroupKind,
  SyncWindow,
  TenantApplication,
  TenantApplicationSet,
} from '../../../crds/tenantry/tenant-argocd.ts';
import { listClassLayers } from '../classes/extend.ts';
import type { TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import type { ClassPathResolver, Layer } from './layer.ts';

/** One thing of a list that adds up, and who says it where. */
export interface LayeredValue<T> {
  readonly value: T;
  readonly byTenant: boolean;
  readonly path: Path;
}

/** What a tenant has of Argo CD, in all of its namespaces together. */
export interface ResolvedArgoCD {
  readonly sourceRepos: readonly LayeredValue<string>[];
  /** Besides the ordinary ones. */
  readonly kinds: readonly LayeredValue<GroupKind>[];
  readonly sourceNamespaces: readonly string[];
  readonly applications: readonly TenantApplication[];
  readonly applicationSets: readonly TenantApplicationSet[];
}

/** The repositories and kinds of the class, of the one that it extends first, and the tenant's own. */
export function resolveArgoCD(
  { name, spec }: TenantDeclaration,
  klass: TenantClassDeclaration,
  classPlaces: ClassPathResolver,
): ResolvedArgoCD {
  const classes = listClassLayers(klass);
  const layers = [
    ...classes.map(({ defaults }, i) => ({
      argocd: defaults?.argocd ?? {},
      byTenant: false,
      at: (...rest: Path) => classPlaces(i < classes.length - 1, 'defaults', 'argocd', ...rest),
    })),
    {
      argocd: spec.argocd ?? {},
      byTenant: true,
      at: (...rest: Path) => ['spec', 'argocd', ...rest],
    },
  ];
  return {
    sourceRepos: layers.flatMap(({ argocd, byTenant, at }) =>
      (argocd.sourceRepos ?? []).map((url, i) => ({
        value: byTenant ? url : fillTenantName(url, name),
        byTenant,
        path: at('sourceRepos', i),
      })),
    ),
    kinds: layers.flatMap(({ argocd, byTenant, at }) =>
      (argocd.namespaceResourceWhitelist ?? []).map((value, i) => ({
        value,
        byTenant,
        path: at('namespaceResourceWhitelist', i),
      })),
    ),
    sourceNamespaces: spec.argocd?.sourceNamespaces ?? [],
    applications: spec.argocd?.applications ?? [],
    applicationSets: spec.argocd?.applicationSets ?? [],
  };
}

/** The windows of a namespace: every layer adds its own. */
export function mergeSyncWindows(layers: readonly Layer[]): LayeredValue<SyncWindow>[] {
  return layers.flatMap(({ settings, byTenant, at }) =>
    (settings.argocd?.syncWindows ?? []).map((value, i) => ({
      value,
      byTenant,
      path: at('argocd', 'syncWindows', i),
    })),
  );
}

/** A text of a class about repositories, for one tenant. */
export function fillTenantName(text: string, tenant: string): string {
  return text.replaceAll('{tenant}', tenant);
}
