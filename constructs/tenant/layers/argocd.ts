import type { Path } from '../../../kube/problem.ts';
import type {
  GroupKind,
  SyncWindow,
  TenantApplication,
  TenantApplicationSet,
} from '../../../crds/tenantry/tenant-argocd.ts';
import { layersOfClass } from '../classes/extend.ts';
import type { TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import type { ClassPlaces, Layer } from './layer.ts';

/** One thing of a list that adds up, and who says it where. */
export interface Added<T> {
  readonly value: T;
  readonly byTenant: boolean;
  readonly path: Path;
}

/** What a tenant has of Argo CD, in all of its namespaces together. */
export interface ResolvedArgoCD {
  readonly sourceRepos: readonly Added<string>[];
  /** Besides the ordinary ones. */
  readonly kinds: readonly Added<GroupKind>[];
  readonly sourceNamespaces: readonly string[];
  readonly applications: readonly TenantApplication[];
  readonly applicationSets: readonly TenantApplicationSet[];
}

/** The repositories and kinds of the class, of the one that it extends first, and the tenant's own. */
export function argocdOf(
  { name, spec }: TenantDeclaration,
  klass: TenantClassDeclaration,
  classPlaces: ClassPlaces,
): ResolvedArgoCD {
  const classes = layersOfClass(klass);
  const layers = [
    ...classes.map(({ defaults }, i) => ({
      said: defaults?.argocd ?? {},
      byTenant: false,
      at: (...rest: Path) => classPlaces(i < classes.length - 1, 'defaults', 'argocd', ...rest),
    })),
    {
      said: spec.argocd ?? {},
      byTenant: true,
      at: (...rest: Path) => ['spec', 'argocd', ...rest],
    },
  ];
  return {
    sourceRepos: layers.flatMap(({ said, byTenant, at }) =>
      (said.sourceRepos ?? []).map((url, i) => ({
        value: byTenant ? url : ofTenant(url, name),
        byTenant,
        path: at('sourceRepos', i),
      })),
    ),
    kinds: layers.flatMap(({ said, byTenant, at }) =>
      (said.namespaceResourceWhitelist ?? []).map((value, i) => ({
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
export function syncWindowsOf(layers: readonly Layer[]): Added<SyncWindow>[] {
  return layers.flatMap(({ settings, byTenant, at }) =>
    (settings.argocd?.syncWindows ?? []).map((value, i) => ({
      value,
      byTenant,
      path: at('argocd', 'syncWindows', i),
    })),
  );
}

/** A text of a class about repositories, for one tenant. */
export function ofTenant(text: string, tenant: string): string {
  return text.replaceAll('{tenant}', tenant);
}
