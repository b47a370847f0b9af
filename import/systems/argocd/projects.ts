import { formatList } from '@tenantry/kube/problem';
import type { SystemObject } from '../system-object.ts';
import { listKnownFields } from '../known-fields.ts';
import type { SourceCluster, SystemSource, TenancySystem } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import { computeCoverage, NamespaceIndex, type Coverage } from './destinations.ts';
import { appProject, type AppProject } from './project-schema.ts';
import { translateRepositories } from './repositories.ts';
import { translateRest } from './other-fields.ts';
import { translateWindow, type ProjectTenant } from './sync-windows.ts';

/** A project that bounds the namespaces of somebody. */
interface Candidate {
  readonly one: SystemObject<AppProject>;
  readonly coverage: Coverage;
}

/**
 * Argo CD: an AppProject bounds from where, to where and what its Applications deploy. A project with namespaces of its
 * own becomes a tenant. It makes no objects in namespaces, and no rights there.
 *
 * Source: github.com/argoproj/argo-cd, pkg/apis/application/v1alpha1/app_project_types.go (v3.5)
 */
export const argocd: TenancySystem = {
  name: 'Argo CD',
  kinds: [{ group: 'argoproj.io', kind: 'AppProject', schema: appProject }],
  translate(source, translation) {
    const projects = source.objectsOf<AppProject>('AppProject');
    if (projects.length === 0) return;
    const index = new NamespaceIndex(source.namespaces.map(({ object }) => object.metadata.name));
    const candidates: Candidate[] = [];
    for (const one of projects) {
      const { destinations = [] } = one.content.spec;
      const coverage = computeCoverage(destinations, index, source.clusters);
      const reason = findReasonAgainst(one, coverage, source.clusters);
      if (reason === undefined) candidates.push({ one, coverage });
      else leaveAll(one, reason);
    }
    const shared = assignNamespaces(candidates, translation);
    for (const candidate of candidates) translateProject(candidate, shared, source, translation);
  },
};

/** Returns why a project becomes no tenant. */
function findReasonAgainst(
  { name }: SystemObject<AppProject>,
  { unbounded, namespaces }: Coverage,
  clusters: readonly SourceCluster[],
): string | undefined {
  if (name === 'default')
    return 'the project `default` is for everybody: keep it, and allow nothing in it';
  if (unbounded !== undefined) return `${unbounded}: keep it for the platform`;
  if (namespaces.size > 0) return undefined;
  const names = clusters.map((cluster) => cluster.name);
  return `it allows no namespace of the source on ${formatList(names)}`;
}

function leaveAll(one: SystemObject<AppProject>, reason: string): void {
  const { spec } = one.content;
  for (const path of listKnownFields(appProject.properties!['spec']!, spec, ['spec'])) {
    one.leave(path, reason);
  }
}

/**
 * Makes the namespaces of each project a tenant, unless several projects have them. Returns the projects of the
 * namespaces that several have.
 */
function assignNamespaces(
  candidates: readonly Candidate[],
  translation: Translation,
): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const { one, coverage } of candidates) {
    for (const name of coverage.namespaces) {
      const before = owners.get(name);
      if (before) before.push(one.name);
      else owners.set(name, [one.name]);
    }
  }
  const shared = new Map([...owners].filter(([, projects]) => projects.length > 1));
  for (const [namespace, [project]] of owners) {
    if (shared.has(namespace) || translation.tenants.has(namespace)) continue;
    translation.assignTenant(namespace, project!);
  }
  for (const [projects, members] of Map.groupBy(shared, ([, each]) => formatList(each))) {
    const names = members.map(([namespace]) => namespace);
    translation.note(
      `the AppProjects ${projects} share ${formatList(names)}: no project decides to which tenant these namespaces belong`,
    );
  }
  return shared;
}

function translateProject(
  { one, coverage }: Candidate,
  shared: ReadonlyMap<string, readonly string[]>,
  source: SystemSource,
  translation: Translation,
): void {
  const { namespaces } = coverage;
  const tenants = new Set([...namespaces].flatMap((each) => translation.tenants.get(each) ?? []));
  const isShared = [...namespaces].some((each) => shared.has(each));
  // Another system may have named the tenant of all of them.
  const [only = one.name] = tenants.size === 1 && !isShared ? tenants : [];
  const tenant: ProjectTenant = { name: only, namespaces, clusters: source.clusters };
  translateDestinations({ one, coverage }, shared, tenant, translation);
  translateRepositories(one, tenant, source, translation);
  for (const [i, window] of (one.content.spec.syncWindows ?? []).entries()) {
    translateWindow(one, window, ['spec', 'syncWindows', i], tenant, translation);
  }
  translateRest(one, tenant, translation);
}

function translateDestinations(
  { one, coverage }: Candidate,
  shared: ReadonlyMap<string, readonly string[]>,
  { name, namespaces: all }: ProjectTenant,
  translation: Translation,
): void {
  for (const [i, { isHere, namespaces, isPattern }] of coverage.destinations.entries()) {
    const path = ['spec', 'destinations', i];
    const fields = ['server', 'name', 'namespace'].map((field) => [...path, field]);
    const [first, ...rest] = fields as [(typeof fields)[0], ...typeof fields];
    const common = namespaces.find((each) => shared.has(each));
    const partial = namespaces.find((each) => !all.has(each));
    const reason = !isHere
      ? 'it is on another cluster: import the namespaces of that cluster, too'
      : namespaces.length === 0
        ? 'the source has no such namespace'
        : common !== undefined
          ? `the AppProjects ${formatList(shared.get(common)!)} share ${common}: decide whose it is`
          : partial !== undefined
            ? `the project does not allow ${partial} on all clusters of the platform`
            : undefined;
    if (reason !== undefined) {
      for (const field of fields) one.leave(field, reason);
      continue;
    }
    const difference = 'a new namespace with such a name is none until it is declared';
    translation.setForTenant({
      tenant: name,
      spec: {},
      origin: one,
      path: first,
      others: rest.map((at) => ({ origin: one, path: at })),
      covers: namespaces,
      ...(isPattern && { difference }),
    });
  }
}
