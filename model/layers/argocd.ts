import type { Path } from '@tenantry/kube/problem';
import type {
  GroupKind,
  SyncWindow,
  TenantApplication,
  TenantApplicationSet,
} from '../../crds/tenant-argocd.ts';
import { listClassLayers } from '../classes/extend.ts';
import type { TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import type { ClassPathResolver, Layer } from './layer.ts';

/** One item of a list that adds up across layers, and the place that sets it. */
export interface LayeredValue<T> {
  readonly value: T;
  readonly byTenant: boolean;
  readonly path: Path;
}

/** The settings for Argo CD of a tenant, for all of its namespaces together. */
export interface ResolvedArgoCD {
  readonly sourceRepos: readonly LayeredValue<string>[];
  /** Kinds besides the ordinary ones. */
  readonly kinds: readonly LayeredValue<GroupKind>[];
  readonly sourceNamespaces: readonly string[];
  readonly applications: readonly TenantApplication[];
  readonly applicationSets: readonly TenantApplicationSet[];
}

/** Resolves the repositories and kinds of the parent class, of the class and of the tenant, in this order. */
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

/** Collects the sync windows of a namespace: every layer adds its own. */
export function mergeSyncWindows(layers: readonly Layer[]): LayeredValue<SyncWindow>[] {
  return layers.flatMap(({ settings, byTenant, at }) =>
    (settings.argocd?.syncWindows ?? []).map((value, i) => ({
      value,
      byTenant,
      path: at('argocd', 'syncWindows', i),
    })),
  );
}

/** Fills the tenant's name into a text of a class about repositories. */
export function fillTenantName(text: string, tenant: string): string {
  return text.replaceAll('{tenant}', tenant);
}
