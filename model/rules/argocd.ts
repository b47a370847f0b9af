import { formatList, show, didYouMean, findNearest, type Path } from '@tenantry/kube/problem';
import { validateSchedule } from '@tenantry/kube/cron';
import { isTimeZone } from '@tenantry/kube/time';
import { fillTenantName } from '../layers/argocd.ts';
import type { ResolvedTenant, ResolvedNamespace } from '../layers/resolved.ts';
import {
  IN_CLUSTER_SERVER,
  resolveServer,
  resolveArgoCDGroup,
  findGroupFault,
} from '../argocd-names.ts';
import { resolveApplicationSets, resolveApplications } from '../deployments.ts';
import { accessLevels } from '../../crds/access.ts';
import type { RuleContext, TenantReporter } from './context.ts';
import { defineClassCheck, defineNamespaceCheck, defineTenantCheck } from './check.ts';

/** Validates the repositories of a tenant: only those that its class gives or allows. */
export const repositories = defineTenantCheck(['argocd-repository'], checkRepositories);

function checkRepositories(
  tenant: ResolvedTenant,
  report: TenantReporter<'argocd-repository'>,
): void {
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
  report: TenantReporter<'argocd-repository'>,
): void {
  const known = argocd.sourceRepos.map(({ value }) => value);
  if (known.includes(url)) return;
  const must = `must be one of the tenant's sourceRepos (${formatList(known) || 'none'})`;
  report(path, `${must}, got ${show(url)}`, 'argocd-repository');
}

const AT: Path = ['spec', 'argocd'];

/** Validates that Applications are for namespaces of the tenant, and that the class allows tenants to have them. */
export const applications = defineTenantCheck(
  ['argocd-impersonation', 'argocd-destination', 'argocd-application', 'placeholder'],
  checkApplications,
);

function checkApplications(
  tenant: ResolvedTenant,
  report: TenantReporter<
    'argocd-impersonation' | 'argocd-destination' | 'argocd-application' | 'placeholder'
  >,
): void {
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
function checkImpersonation(
  { argocd, platform }: ResolvedTenant,
  report: TenantReporter<'argocd-impersonation'>,
): void {
  if (platform.argocdImpersonation !== undefined) return;
  for (const { path } of argocd.sourceRepos) {
    const message = 'must be left out until the platform sets argocd.impersonation';
    report(path, message, 'argocd-impersonation');
  }
}

/** Validates that the clusters have servers, because Argo CD deploys to an address. */
function checkServers(
  { argocd, platform, namespaces }: ResolvedTenant,
  report: TenantReporter<'argocd-destination'>,
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

function checkNamespaces(
  { argocd, namespaces }: ResolvedTenant,
  report: TenantReporter<'argocd-application'>,
): void {
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
function checkSourceNamespaces(
  tenant: ResolvedTenant,
  report: TenantReporter<'argocd-application' | 'argocd-impersonation'>,
): void {
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

/** Validates that sync windows occur at some time, and that no tenant widens those of its class. */
export const syncWindows = defineNamespaceCheck(['argocd-sync-window'], checkSyncWindows);

function checkSyncWindows(
  { tenant, namespace }: RuleContext,
  report: TenantReporter<'argocd-sync-window'>,
): void {
  const windows = namespace.settings.syncWindows;
  const isBounded = windows.some(({ value, byTenant }) => !byTenant && value.kind === 'allow');
  for (const { value, byTenant, path } of windows) {
    const { kind, schedule, duration, timeZone } = value;
    const refuse = (field: string, message: string): void =>
      report([...path, field], message, 'argocd-sync-window');
    const fault = validateSchedule(schedule);
    if (fault !== undefined) refuse('schedule', `${fault}, got ${show(schedule)}`);
    if (!/[1-9]/.test(duration)) {
      refuse('duration', `must be longer than zero, got ${show(duration)}`);
    }
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      const message = `must be a time zone, or Argo CD takes UTC, got ${show(timeZone)}`;
      refuse('timeZone', message);
    }
    // Argo CD allows a sync that any one of the windows allows.
    if (byTenant && kind === 'allow' && isBounded) {
      const message = `must be 'deny', since class ${tenant.klass.name} sets when syncs are allowed, got 'allow'`;
      refuse('kind', message);
    }
  }
}

/** Validates that each level includes `get`, which Argo CD requires before any other action. */
export const argocdRoles = defineClassCheck(['argocd-role'], ({ klass }, report) => {
  for (const level of accessLevels) {
    const actions = klass.spec.argocd?.roles?.[level] ?? [];
    if (actions.length === 0 || actions.includes('get')) continue;
    const message = `must hold 'get', without which Argo CD lets nobody do anything, got ${formatList(actions)}`;
    report(['spec', 'argocd', 'roles', level], message, 'argocd-role');
  }
});

/** Validates that groups which get a role in Argo CD have names that Argo CD can hold. */
export const argocdGroups = defineNamespaceCheck(['argocd-group'], checkArgoCDGroups);

function checkArgoCDGroups(
  { tenant, namespace }: RuleContext,
  report: TenantReporter<'argocd-group'>,
): void {
  const { klass, argocd, platform } = tenant;
  for (const { level, holders, path, byTenant } of namespace.settings.grants) {
    // Findings about a class are about all of its tenants.
    if (byTenant && argocd.sourceRepos.length === 0) continue;
    if (level === undefined || !klass.spec.argocd?.roles?.[level]?.length) continue;
    for (const name of holders.groups ?? []) {
      const group = resolveArgoCDGroup(name, platform);
      const fault = group === undefined ? undefined : findGroupFault(group);
      if (fault === undefined) continue;
      const message = `must be names ${fault}, since class ${klass.name} gives ${level} a role there (argocd.roles), got ${show(name)}`;
      report([...path, 'groups'], message, 'argocd-group');
    }
  }
}
