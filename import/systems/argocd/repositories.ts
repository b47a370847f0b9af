import { listAt, valueAt } from '@tenantry/kube/mapping';
import { groupOf } from '@tenantry/kube/object';
import { formatList } from '@tenantry/kube/problem';
import { permitsRepository } from '../../../model/argocd/patterns/allow-lists.ts';
import { isLiteral } from '../../../model/argocd/patterns/glob.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import { buildKindFilter, listForbiddenKinds } from './kinds.ts';
import type { AppProject, ProjectSpec } from './project-schema.ts';
import type { ProjectTenant } from './sync-windows.ts';

/**
 * Returns why Applications could do more in the project of a tenant than in this one. Its repositories are then not
 * declared.
 */
export function findWidening(project: ProjectSpec): string | undefined {
  const forbidden = listForbiddenKinds(buildKindFilter(project));
  if (forbidden.length > 0) {
    return `Applications of a tenant may also have ${formatList(forbidden)}, which the project forbids`;
  }
  if (project.signatureKeys?.length || project.sourceIntegrity) {
    return 'Applications of a tenant may also sync commits without the signatures that the project demands';
  }
  if (project.destinationServiceAccounts?.length) {
    return 'Applications of a tenant are not synced as the accounts of the project, and may have other rights';
  }
  if (project.permitOnlyProjectScopedClusters) {
    return 'Applications of a tenant may also use clusters that are no clusters of the project';
  }
  return undefined;
}

/** Translates the repositories of a project, unless its Applications could then do more than before. */
export function translateRepositories(
  one: SystemObject<AppProject>,
  tenant: ProjectTenant,
  source: SystemSource,
  translation: Translation,
): void {
  const { spec } = one.content;
  const { sourceRepos = [] } = spec;
  const widening = findWidening(spec);
  const used = listUsedRepositories(one.name, source).filter((url) =>
    permitsRepository(sourceRepos, url),
  );
  const difference =
    spec.namespaceResourceWhitelist === undefined
      ? 'its Applications may have ordinary kinds only, and the project has no list of kinds'
      : undefined;
  for (const [i, pattern] of sourceRepos.entries()) {
    const path = ['spec', 'sourceRepos', i];
    const set = (url: string, differs: string | undefined): void =>
      translation.setForTenant({
        tenant: tenant.name,
        spec: { argocd: { sourceRepos: [url] } },
        origin: one,
        path,
        within: tenant.namespaces,
        ...(differs !== undefined && { difference: differs }),
      });
    if (widening !== undefined) {
      one.leave(path, `${widening}: add it to \`argocd.sourceRepos\` if they may`);
    } else if (pattern.startsWith('!')) {
      one.leave(path, 'a tenant lists the repositories that it has, and all others are denied');
    } else if (isLiteral(pattern)) {
      if (permitsRepository(sourceRepos, pattern)) set(pattern, difference);
      else one.leave(path, 'another entry of the project denies it');
    } else {
      const own = used.filter((url) => permitsRepository([pattern], url));
      if (own.length === 0) {
        one.leave(
          path,
          'a tenant lists its repositories, and no Application of the source has one',
        );
      }
      const only = 'of the pattern only the repositories of Applications in the source';
      for (const url of own) set(url, difference === undefined ? only : `${only}; ${difference}`);
    }
  }
}

/** Lists the repositories of the Applications that name a project. */
function listUsedRepositories(project: string, { objects }: SystemSource): readonly string[] {
  const urls = objects.flatMap(({ object }) => {
    if (object.kind !== 'Application' || groupOf(object.apiVersion) !== 'argoproj.io') return [];
    if (valueAt(object, ['spec', 'project']) !== project) return [];
    const sources = [valueAt(object, ['spec', 'source']), ...listAt(object, ['spec', 'sources'])];
    return sources.map((source) => valueAt(source, ['repoURL']));
  });
  return [...new Set(urls.filter((url) => typeof url === 'string'))];
}
