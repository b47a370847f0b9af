import type { AppProjectSpec, ClusterResourceRestrictionItem } from '../api/types.ts';
import { compileKindGlob } from './glob.ts';

/** A cluster-scoped object. */
export interface ClusterKind {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Whether a project allows a cluster-scoped object, as Argo CD decides it.
 * Source: IsGroupKindNamePermitted in pkg/apis/application/v1alpha1/app_project_types.go of argo-cd
 */
export function permitsClusterKind(project: AppProjectSpec, one: ClusterKind): boolean {
  const { clusterResourceWhitelist = [], clusterResourceBlacklist = [] } = project;
  return (
    matchesAnyItem(one, clusterResourceWhitelist) && !matchesAnyItem(one, clusterResourceBlacklist)
  );
}

function matchesAnyItem(
  one: ClusterKind,
  list: readonly ClusterResourceRestrictionItem[],
): boolean {
  return list.some(
    ({ group, kind, name = '' }) =>
      matches(kind, one.kind) &&
      matches(group, one.group) &&
      (name === '' || matches(name, one.name)),
  );
}

function matches(pattern: string, text: string): boolean {
  return compileKindGlob(pattern)?.(text) ?? false;
}
