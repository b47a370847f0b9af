import { formatList, show, type Path } from '../../../kube/problem.ts';
import { fillTenantName } from '../layers/argocd.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import type { TenantReporter } from './context.ts';

/** Validates the repositories of a tenant: only those that its class gives or allows. */
export function checkRepositories(tenant: ResolvedTenant, report: TenantReporter): void {
  const { argocd, klass, declaration } = tenant;
  const allowed = (klass.spec.allow?.sourceRepos ?? []).map((one) =>
    fillTenantName(one, declaration.name),
  );
  const given = new Set(
    argocd.sourceRepos.filter(({ byTenant }) => !byTenant).map(({ value }) => value),
  );
  for (const { value, byTenant, path } of argocd.sourceRepos) {
    if (!byTenant || given.has(value) || allowed.some((one) => matchesRepository(one, value)))
      continue;
    const must = `must be a repository that class ${klass.name} allows in allow.sourceRepos (${formatList(allowed) || 'none'})`;
    report(path, `${must}, got ${show(value)}`, 'argocd-repository');
  }
  for (const { url, path } of listUsedRepositories(tenant))
    checkUsedRepository(tenant, url, path, report);
}

/** Whether a URL equals an exact pattern, or begins with the text before the `*`, which ends with a `/`. */
function matchesRepository(pattern: string, url: string): boolean {
  return pattern.endsWith('/*') ? url.startsWith(pattern.slice(0, -1)) : pattern === url;
}

function listUsedRepositories({
  argocd,
}: ResolvedTenant): { readonly url: string; readonly path: Path }[] {
  const at = ['spec', 'argocd'];
  return [
    ...argocd.applications.map(({ source }, i) => ({
      url: source.repoURL,
      path: [...at, 'applications', i, 'source', 'repoURL'],
    })),
    ...argocd.applicationSets.map(({ repoURL }, i) => ({
      url: repoURL,
      path: [...at, 'applicationSets', i, 'repoURL'],
    })),
  ];
}

function checkUsedRepository(
  { argocd }: ResolvedTenant,
  url: string,
  path: Path,
  report: TenantReporter,
): void {
  const known = argocd.sourceRepos.map(({ value }) => value);
  if (known.includes(url)) return;
  const must = `must be one of the tenant's sourceRepos (${formatList(known) || 'none'})`;
  report(path, `${must}, got ${show(url)}`, 'argocd-repository');
}
