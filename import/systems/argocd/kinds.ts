import { compileKindGlob } from '../../../model/argocd/patterns/glob.ts';
import { formatKind, ordinaryKinds } from '../../../model/deployments.ts';
import type { GroupKind } from '../../../crds/tenant-argocd.ts';
import type { ProjectSpec } from './project-schema.ts';

/** Whether a project allows a namespaced kind. */
export type KindFilter = (kind: GroupKind) => boolean;

/**
 * Builds the filter of a project for namespaced kinds. A project without a whitelist allows all kinds.
 * Source: IsGroupKindNamePermitted in pkg/apis/application/v1alpha1/app_project_types.go of argo-cd
 */
export function buildKindFilter(project: ProjectSpec): KindFilter {
  const isWhite = project.namespaceResourceWhitelist
    ? compileList(project.namespaceResourceWhitelist)
    : () => true;
  const isBlack = compileList(project.namespaceResourceBlacklist ?? []);
  return (kind) => isWhite(kind) && !isBlack(kind);
}

/** Compiles one entry of a list of kinds. */
export function matchesKind(pattern: GroupKind): KindFilter {
  return compileList([pattern]);
}

function compileList(patterns: readonly GroupKind[]): KindFilter {
  const all = patterns.map(
    ({ group, kind }) => [compileKindGlob(group), compileKindGlob(kind)] as const,
  );
  return ({ group, kind }) =>
    all.some(([matchesGroup, matches]) => matchesGroup?.(group) && matches?.(kind));
}

/** Lists the kinds that Applications of each tenant may have, and which the project forbids. */
export function listForbiddenKinds(isAllowed: KindFilter): string[] {
  return ordinaryKinds.filter((kind) => !isAllowed(kind)).map(formatKind);
}

/** Whether an entry names one kind, and no others. */
export function isOneKind({ group, kind }: GroupKind): boolean {
  return !/[*?[\]\\^]/.test(group + kind);
}
