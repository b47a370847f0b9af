import type { KubeObject } from '@tenantry/kube/object';
import type {
  TenantApplication,
  TenantApplicationSet,
  GroupKind,
  SyncWindow,
} from '../../crds/tenant-argocd.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import {
  resolveApplicationSets,
  resolveApplications,
  type Deployment,
  isOrdinaryKind,
  formatKind,
  ordinaryKinds,
  listDestinations,
  type Destination,
} from '../deployments.ts';
import { ownerLabels, SYNC_WAVE } from '../ownership.ts';
import {
  escapeServerPattern,
  syncAccount,
  resolveArgoCDGroup,
  quoteGroup,
} from '../argocd-names.ts';
import { accessLevels, type AccessLevel } from '../../crds/access.ts';

/**
 * Renders the objects in Argo CD's namespace that it needs to deploy from the tenant's repositories, the project first.
 * Nothing without a repository.
 */
export function renderArgoCDObjects(resolved: ResolvedTenant): KubeObject[] {
  return [...buildProjects(resolved), ...buildApplications(resolved)];
}

/**
 * Builds the Applications and ApplicationSets of a tenant. None has the finalizer with which Argo CD deletes what an
 * Application deployed, so a removed one leaves everything in the namespace as it is.
 */
function buildApplications(resolved: ResolvedTenant): KubeObject[] {
  return [
    ...resolveApplications(resolved).map((one) => buildApplication(resolved, one)),
    ...resolveApplicationSets(resolved).map((one) => buildApplicationSet(resolved, one)),
  ];
}

function buildApplication(
  resolved: ResolvedTenant,
  deployment: Deployment<TenantApplication>,
): KubeObject {
  const { source } = deployment.declared;
  const { repoURL, path, chart, targetRevision, helm } = source;
  const valueFiles = helm?.valueFiles ?? [];
  return {
    apiVersion: ARGO_API,
    kind: 'Application',
    metadata: buildMetadata(resolved, deployment),
    spec: buildSpec(resolved, deployment, {
      repoURL,
      ...(path !== undefined && { path }),
      ...(chart !== undefined && { chart }),
      ...(targetRevision !== undefined && { targetRevision }),
      ...(valueFiles.length > 0 && { helm: { valueFiles } }),
    }),
  };
}

function buildApplicationSet(
  resolved: ResolvedTenant,
  deployment: Deployment<TenantApplicationSet>,
): KubeObject {
  const { repoURL, revision = 'HEAD', directories } = deployment.declared;
  const metadata = buildMetadata(resolved, deployment);
  const source = { repoURL, path: '{{.path.path}}', targetRevision: revision };
  return {
    apiVersion: ARGO_API,
    kind: 'ApplicationSet',
    metadata,
    spec: {
      generators: [
        { git: { directories: directories.map((path) => ({ path })), repoURL, revision } },
      ],
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      syncPolicy: { preserveResourcesOnDeletion: true },
      template: {
        metadata: {
          labels: metadata.labels,
          name: `${metadata.name}.{{.path.basenameNormalized}}`,
        },
        spec: buildSpec(resolved, deployment, source),
      },
    },
  };
}

function buildMetadata(
  { declaration, platform }: ResolvedTenant,
  { name }: { readonly name: string },
) {
  const { argocdNamespace: namespace } = platform;
  return { labels: ownerLabels(declaration.name), name, namespace };
}

/** Fails the sync if another Application already deploys an object, such as one of the platform. */
const SYNC_OPTIONS = ['FailOnSharedResource=true'];

/** Five more attempts in about three minutes; then Argo CD waits for the next commit, or for a person. */
const RETRY = { limit: 5, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } };

function buildSpec(
  { declaration }: ResolvedTenant,
  { declared, destination }: Deployment<{ readonly sync?: 'Automated' | 'Manual' }>,
  source: object,
) {
  const automated = { prune: true, selfHeal: true };
  return {
    destination: { namespace: destination.namespace.name, server: destination.server },
    project: projectName(declaration.name),
    source,
    syncPolicy: {
      ...(declared.sync !== 'Manual' && { automated }),
      retry: RETRY,
      syncOptions: SYNC_OPTIONS,
    },
  };
}

export const ARGO_API = 'argoproj.io/v1alpha1';

/** Returns the name of the project of a tenant's Applications. */
export function projectName(tenant: string): string {
  return `tenant-${tenant}`;
}

/**
 * Builds the AppProject of a tenant that has a repository. It allows the tenant's repositories, only its own Active
 * namespaces, kinds that are listed one by one, and nothing cluster-scoped. Argo CD refuses what a list leaves out.
 * Only an absent list of namespaced kinds would allow all of them.
 */
export function buildProjects(resolved: ResolvedTenant): KubeObject[] {
  const { declaration, platform, argocd } = resolved;
  if (argocd.sourceRepos.length === 0) return [];
  const { name } = declaration;
  const destinations = listDestinations(resolved);
  const active = new Set(destinations.map(({ namespace }) => namespace.name));
  const sourceNamespaces = argocd.sourceNamespaces.filter((one) => active.has(one));
  const windows = buildSyncWindows(destinations);
  const roles = buildProjectRoles(resolved, projectName(name));
  const account = syncAccount(platform, name);
  const spec = {
    description: `Repositories of tenant ${name}`,
    ...(destinations.length > 0 && { destinations: destinations.map(buildDestination) }),
    ...(destinations.length > 0 &&
      platform.argocdImpersonation === 'Enabled' && {
        destinationServiceAccounts: destinations.map((one) => ({
          ...buildDestination(one),
          defaultServiceAccount: `${account.namespace}:${account.name}`,
        })),
      }),
    namespaceResourceWhitelist: listAllowedKinds(argocd.kinds.map(({ value }) => value)),
    ...(roles.length > 0 && { roles }),
    ...(sourceNamespaces.length > 0 && { sourceNamespaces: sourceNamespaces.toSorted() }),
    sourceRepos: [...new Set(argocd.sourceRepos.map(({ value }) => value))].toSorted(),
    ...(windows.length > 0 && { syncWindows: windows }),
  };
  const metadata = {
    // It is created before its Applications and deleted after them.
    annotations: { [SYNC_WAVE]: '-1' },
    labels: ownerLabels(name),
    name: projectName(name),
    namespace: platform.argocdNamespace,
  };
  return [{ apiVersion: ARGO_API, kind: 'AppProject', metadata, spec }];
}

function buildDestination({ namespace, server }: Destination) {
  return { namespace: namespace.name, server: escapeServerPattern(server) };
}

function listAllowedKinds(more: readonly GroupKind[]): GroupKind[] {
  const others = more.filter((one) => !isOrdinaryKind(one));
  const all = [...ordinaryKinds, ...others].map((one) => [formatKind(one), one] as const);
  const byText = new Map<string, GroupKind>(all);
  return [...byText.keys()].toSorted().map((text) => {
    const { group, kind } = byText.get(text)!;
    return { group, kind };
  });
}

/** Builds the windows, each with the namespaces to which it applies. */
function buildSyncWindows(destinations: readonly Destination[]): object[] {
  const namespacesOf = new Map<string, { window: SyncWindow; namespaces: Set<string> }>();
  for (const { namespace } of destinations) {
    for (const window of mergeWindows(namespace.settings.syncWindows.map(({ value }) => value))) {
      const key = JSON.stringify([formatWindow(window), window.manualSync, window.description]);
      const known = namespacesOf.get(key) ?? { window, namespaces: new Set() };
      namespacesOf.set(key, known);
      known.namespaces.add(namespace.name);
    }
  }
  return [...namespacesOf.values()].map(({ window, namespaces }) => {
    const { manualSync, ...fields } = window;
    return { ...fields, ...(manualSync && { manualSync }), namespaces: [...namespaces].toSorted() };
  });
}

/**
 * Merges windows of the same time, because Argo CD accepts no two of them. A person may sync in a merged window only if
 * every layer allows it.
 */
function mergeWindows(windows: readonly SyncWindow[]): SyncWindow[] {
  const byId = new Map<string, SyncWindow>();
  for (const window of windows) {
    const known = byId.get(formatWindow(window));
    const manualSync = (known?.manualSync ?? true) && window.manualSync === true;
    byId.set(formatWindow(window), { ...window, ...known, manualSync });
  }
  return [...byId.values()];
}

function formatWindow({ kind, schedule, duration, timeZone }: SyncWindow): string {
  return JSON.stringify([kind, schedule, duration, timeZone]);
}

interface ProjectRole {
  readonly description: string;
  readonly groups: readonly string[];
  readonly name: string;
  readonly policies: readonly string[];
}

/** The groups with a role of a project, and the Applications that the role applies to. */
interface ProjectGrant {
  /** The name of the role; `of` follows the level in its description. */
  readonly name: string;
  readonly of: string;
  readonly applications: string;
  readonly groups: readonly string[];
}

/**
 * Builds the roles that allow groups with access to act on the tenant's Applications in Argo CD, as far as the class
 * allows it. A group that has a level in each of the tenant's namespaces gets a role for the whole project. Other
 * groups get a role for Applications that deploy to their namespace. Applications that people write themselves belong
 * to the project role only, because they may deploy to any namespace of the tenant.
 */
function buildProjectRoles(resolved: ResolvedTenant, project: string): ProjectRole[] {
  const { klass, declaration } = resolved;
  return accessLevels.flatMap((level) => {
    const actions = klass.spec.argocd?.roles?.[level] ?? [];
    if (actions.length === 0) return [];
    const byNamespace = listGroupsByNamespace(resolved, level);
    const everywhere = intersectGroups([...byNamespace.values()]);
    const held: ProjectGrant[] = [
      { name: level, of: `tenant ${declaration.name}`, applications: '*', groups: everywhere },
      ...[...byNamespace.keys()].toSorted().map((namespace) => ({
        name: `${level}-${namespace}`,
        of: `namespace ${namespace}`,
        // The dot ends the name of the namespace, which contains no dot.
        applications: `${namespace}.*`,
        groups: byNamespace.get(namespace)!.filter((group) => !everywhere.includes(group)),
      })),
    ];
    return held
      .filter(({ groups }) => groups.length > 0)
      .map(({ name, of, applications, groups }) => ({
        description: `${level} of ${of}`,
        groups: groups.toSorted().map(quoteGroup),
        name,
        policies: [...new Set(actions)].toSorted().map((action) => {
          const [resource, verb] = action === 'logs' ? ['logs', 'get'] : ['applications', action];
          return `p, proj:${project}:${name}, ${resource}, ${verb}, ${project}/${applications}, allow`;
        }),
      }));
  });
}

/**
 * Lists the groups of each namespace. A namespace that is not Active has an empty list and is included, so that nobody
 * has access to all of them.
 */
function listGroupsByNamespace(
  { namespaces, platform }: ResolvedTenant,
  level: AccessLevel,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    namespaces.map(({ name, lifecycle, settings }) => {
      const grants = settings.grants.filter((grant) => grant.level === level);
      const groups = grants
        .flatMap(({ holders }) => holders.groups ?? [])
        .flatMap((group) => resolveArgoCDGroup(group, platform) ?? []);
      return [name, lifecycle === 'Active' ? [...new Set(groups)] : []];
    }),
  );
}

function intersectGroups([first = [], ...rest]: readonly (readonly string[])[]): readonly string[] {
  return first.filter((group) => rest.every((groups) => groups.includes(group)));
}
