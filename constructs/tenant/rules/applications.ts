import { didYouMean, formatList, findNearest, show, type Path } from '../../../kube/problem.ts';
import { IN_CLUSTER_SERVER, resolveServer } from '../cluster-server.ts';
import { resolveApplicationSets, resolveApplications } from '../deployments.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import type { TenantReporter } from './context.ts';

const AT: Path = ['spec', 'argocd'];

/** Validates that Applications are for namespaces of the tenant, and that the class allows tenants to have them. */
export function checkApplications(tenant: ResolvedTenant, report: TenantReporter): void {
  const { argocd, klass } = tenant;
  checkImpersonation(tenant, report);
  checkServers(tenant, report);
  if (argocd.applicationSets.length > 0 && klass.spec.allow?.applicationSets !== 'Allow') {
    const message = `must be left out: class ${klass.name} does not set allow.applicationSets`;
    report([...AT, 'applicationSets'], message, 'argocd-application');
  }
  checkNamespaces(tenant, report);
  checkSourceNamespaces(tenant, report);
  for (const { findings } of [...resolveApplications(tenant), ...resolveApplicationSets(tenant)]) {
    for (const { path, message } of findings) report(path, message, 'placeholder');
  }
}

/** Validates that the platform sets the identity with which Argo CD syncs; Tenantry cannot know Argo CD's settings. */
function checkImpersonation({ argocd, platform }: ResolvedTenant, report: TenantReporter): void {
  if (platform.argocdImpersonation !== undefined) return;
  for (const { path } of argocd.sourceRepos) {
    const message = 'must be left out until the platform sets argocd.impersonation';
    report(path, message, 'argocd-impersonation');
  }
}

/** Validates that the clusters have servers, because Argo CD deploys to an address. */
function checkServers(
  { argocd, platform, namespaces }: ResolvedTenant,
  report: TenantReporter,
): void {
  const [first] = argocd.sourceRepos;
  if (!first) return;
  const lacking = platform.clusters.filter(
    (one) =>
      resolveServer(one) === undefined && namespaces.some(({ cluster }) => cluster === one.name),
  );
  if (lacking.length === 0) return;
  const names = lacking.map(({ name }) => name);
  const message = `must be left out until the platform sets the server of each cluster of the tenant's namespaces, got ${formatList(names)} without one`;
  report(first.path, message, 'argocd-destination');
}

function checkNamespaces({ argocd, namespaces }: ResolvedTenant, report: TenantReporter): void {
  const own = [...new Set(namespaces.map(({ name }) => name))];
  for (const field of ['applications', 'applicationSets'] as const) {
    for (const [i, one] of argocd[field].entries()) {
      for (const [k, name] of (one.namespaces ?? []).entries()) {
        if (own.includes(name)) continue;
        const hint = didYouMean(findNearest(name, own));
        const message = `must be a namespace of the tenant (${formatList(own)}), got ${show(name)}${hint}`;
        report([...AT, field, i, 'namespaces', k], message, 'argocd-application');
      }
    }
  }
}

/**
 * Validates source namespaces. The author of an Application there sets its source, hooks and finalizers, so Argo CD
 * must sync as an account of the tenant.
 */
function checkSourceNamespaces(tenant: ResolvedTenant, report: TenantReporter): void {
  const { argocd, klass, platform } = tenant;
  if (argocd.sourceNamespaces.length === 0) return;
  const at = [...AT, 'sourceNamespaces'];
  if (klass.spec.allow?.sourceNamespaces !== 'Allow') {
    const message = `must be left out: class ${klass.name} does not set allow.sourceNamespaces`;
    report(at, message, 'argocd-application');
  } else if (platform.argocdImpersonation === 'Disabled') {
    const message =
      'must be left out unless Argo CD syncs as an account of the tenant (argocd.impersonation of the platform)';
    report(at, message, 'argocd-impersonation');
  }
  const own = [
    ...new Set(tenant.namespaces.filter(isOnArgoCDCluster(tenant)).map((one) => one.name)),
  ];
  for (const [i, name] of argocd.sourceNamespaces.entries()) {
    if (own.includes(name)) continue;
    const must = `must be a namespace of the tenant on Argo CD's own cluster (${formatList(own) || 'there is none'})`;
    report([...at, i], `${must}, got ${show(name)}`, 'argocd-application');
  }
}

function isOnArgoCDCluster({ platform }: ResolvedTenant) {
  const beside = new Set(
    platform.clusters
      .filter((one) => resolveServer(one) === IN_CLUSTER_SERVER)
      .map(({ name }) => name),
  );
  return ({ cluster }: ResolvedNamespace): boolean => beside.has(cluster);
}
