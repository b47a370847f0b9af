import { didYouMean, formatList, findNearest, show } from '@tenantry/kube/problem';
import { listClassLayers } from '../classes/extend.ts';
import { matchesName } from '../name-pattern.ts';
import { findProtection } from '../protected.ts';
import { matchesLabels, NAME_LABEL, listRequirements } from '@tenantry/kube/label-selector';
import type { Platform } from '../declaration.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import type { TenantReporter } from './context.ts';
import { defineTenantCheck } from './check.ts';
import { trustedSelectors } from './namespace.ts';

/** Validates the placement of a tenant: its class, its clusters, the names of its namespaces. */
export const placement = defineTenantCheck(
  [
    'class-allowed',
    'ceiling-namespaces',
    'namespace-name',
    'protected-namespace',
    'cluster-allowed',
    'environment',
    'environment-spelling',
  ],
  (tenant, report) => {
    checkAllowed(tenant, report);
    checkCount(tenant, report);
    const trusted = listTrustedNames(tenant.platform);
    for (const namespace of tenant.namespaces) {
      checkName(tenant.platform, namespace, trusted, report);
      checkCluster(tenant, namespace, report);
      checkEnvironment(tenant, namespace, report);
    }
  },
);

function checkAllowed(
  { declaration, klass }: ResolvedTenant,
  report: TenantReporter<'class-allowed'>,
): void {
  const { allowedTenants } = klass.spec;
  if (!allowedTenants) return;
  const { names, selector } = allowedTenants;
  if (names && matchesName(names, declaration.name)) return;
  if (selector && matchesLabels(selector, declaration.labels ?? {})) return;
  report(
    ['spec', 'className'],
    `must be a class that allows the tenant, got ${show(klass.name)}: its allowedTenants leave ${declaration.name} out`,
    'class-allowed',
  );
}

function checkCount(
  { klass, namespaces }: ResolvedTenant,
  report: TenantReporter<'ceiling-namespaces'>,
): void {
  const ceiling = klass.spec.ceilings?.namespaces;
  const count = new Set(namespaces.map(({ name }) => name)).size;
  if (ceiling === undefined || count <= ceiling) return;
  report(
    ['spec', 'namespaces'],
    `must have at most ${ceiling} ${ceiling === 1 ? 'namespace' : 'namespaces'} (ceiling of class ${klass.name}), got ${count}`,
    'ceiling-namespaces',
  );
}

/** Lists the namespaces that policies of the platform select by name. */
function listTrustedNames(platform: Platform): ReadonlySet<string> {
  return new Set(
    trustedSelectors(platform)
      .flatMap(listRequirements)
      .filter(({ key, operator }) => key === NAME_LABEL && operator === 'In')
      .flatMap(({ values = [] }) => values),
  );
}

function checkName(
  platform: Platform,
  { name, path }: ResolvedNamespace,
  trusted: ReadonlySet<string>,
  report: TenantReporter<'namespace-name' | 'protected-namespace'>,
): void {
  const at = path.length > 1 ? [...path, 'name'] : ['metadata', 'name'];
  if (name.length > 63) {
    const message = `must be at most 63 characters with the prefix, got ${name.length}`;
    report(at, message, 'namespace-name');
  }
  const keeper = findProtection(platform, name);
  if (trusted.has(name) && keeper?.releasable !== false) {
    report(
      at,
      `must not be a namespace that network policies of the platform trust, got ${show(name)}`,
      'protected-namespace',
    );
  } else if (keeper) {
    const release = keeper.releasable ? '; releasedNamespaces of the platform can free it' : '';
    report(
      at,
      `must not be a namespace of the platform (${keeper.pattern}), got ${show(name)}${release}`,
      'protected-namespace',
    );
  }
}

function checkCluster(
  { platform, declaration }: ResolvedTenant,
  { cluster, klass, path }: ResolvedNamespace,
  report: TenantReporter<'cluster-allowed'>,
): void {
  const { name, spec } = klass;
  const allowed = spec.allow?.clusters;
  if (!allowed || allowed.includes(cluster)) return;
  if (!platform.clusters.some((known) => known.name === cluster)) return;
  const { namespaces, clusters } = declaration.spec;
  const declaredClusters = namespaces?.[Number(path[2])]?.clusters ?? clusters;
  report(
    {
      path: ['spec', 'className'],
      setting: ['clusters', cluster],
      by: declaredClusters === undefined ? 'elsewhere' : 'tenant',
    },
    `must allow cluster ${cluster}, got ${show(name)}, which allows ${formatList(allowed) || 'none'}`,
    'cluster-allowed',
  );
}

/** Validates the environment. Names of environments are case-sensitive. */
function checkEnvironment(
  { declaration, klass, platform }: ResolvedTenant,
  { environment, path }: ResolvedNamespace,
  report: TenantReporter<'environment' | 'environment-spelling'>,
): void {
  if (environment === undefined) return;
  const own = declaration.spec.namespaces?.[Number(path[2])]?.environment;
  const at = own === undefined ? ['spec', 'environment'] : [...path, 'environment'];
  const known = platform.environments;
  if (!known || known.includes(environment)) {
    const ofClass = listClassLayers(klass).flatMap(({ environments = [] }) => environments);
    const names = ofClass.map(({ name }) => name);
    const other = names.find((name) => name.toLowerCase() === environment.toLowerCase());
    if (other === undefined || names.includes(environment)) return;
    const must = `must be spelled as class ${klass.name} does (${other}) for its settings to apply`;
    const message = `${must}, got ${show(environment)}`;
    report(at, message, 'environment-spelling');
    return;
  }
  const hint = didYouMean(findNearest(environment, known));
  const message = `must be one of ${formatList(known)}, got ${show(environment)}${hint}`;
  report(at, message, 'environment', { unknownName: environment });
}
