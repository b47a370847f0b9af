import type { IConstruct } from 'constructs';
import { prefixFinding, errorAt, type Finding } from '@tenantry/kube/finding';
import { findSameClusterObjects } from '@tenantry/crd/constructs/same-cluster';
import { appProject } from '../../model/argocd/api/definitions.ts';
import type { ApplicationSpec, AppProjectSpec } from '../../model/argocd/api/types.ts';
import type { ArgoCdObject } from '../../model/argocd/object.ts';
import { show } from '@tenantry/kube/problem';
import {
  permitsClusterKind,
  IN_CLUSTER,
  permitsDestination,
  permitsRepository,
} from '../../model/argocd/patterns/allow-lists.ts';

/**
 * Validates that the project of an Application allows what it requests, if the project is in the same app: in the
 * namespace of the Application and for the same cluster.
 * @param path the path of the spec
 */
export function validateAgainstProjects(
  made: IConstruct,
  namespace: string,
  spec: ApplicationSpec,
  path: readonly string[],
): Finding[] {
  return findSameClusterObjects(made, appProject)
    .map((one) => one.toJson() as ArgoCdObject<AppProjectSpec>)
    .filter(({ metadata }) => metadata.name === spec.project && metadata.namespace === namespace)
    .flatMap((one) => validateAgainstProject(spec, one.spec, one.metadata.name))
    .map((finding) => prefixFinding(path, finding));
}

/** Validates that a project allows what an Application requests. Paths begin at the spec. */
export function validateAgainstProject(
  spec: ApplicationSpec,
  project: AppProjectSpec,
  name: string,
): Finding[] {
  const { sourceRepos = [], destinations = [] } = project;
  const { source, sources = [], sourceHydrator, destination } = spec;
  const addresses = [
    ...(source ? [[['source', 'repoURL'], source.repoURL] as const] : []),
    ...sources.map((one, i) => [['sources', i, 'repoURL'], one.repoURL] as const),
    ...(sourceHydrator
      ? [[['sourceHydrator', 'drySource', 'repoURL'], sourceHydrator.drySource.repoURL] as const]
      : []),
  ];
  const findings = addresses.flatMap(([path, address]) => {
    if (address.includes('{{') || permitsRepository(sourceRepos, address)) return [];
    const message = `must be a repository that the project ${show(name)} lets in, got ${show(address)}`;
    return [errorAt(path, message, 'application-permitted')];
  });
  findings.push(...validateCreatedNamespace(spec, project, name));
  if (Object.values(destination).some((one: string) => one.includes('{{'))) return findings;
  const to = destination.server === IN_CLUSTER.server || destination.name === IN_CLUSTER.name;
  const requested = to ? { ...destination, ...IN_CLUSTER } : destination;
  // Only Argo CD knows the other name of a cluster.
  const isOtherwise = destinations.some((one) =>
    requested.server === undefined ? one.server !== undefined : one.name !== undefined,
  );
  if ((isOtherwise && !to) || permitsDestination(destinations, requested)) return findings;
  const where = `${show(destination.namespace ?? '')} on ${show(destination.server ?? destination.name)}`;
  const message = `must be a destination that the project ${show(name)} lets in, got ${where}`;
  return [...findings, errorAt(['destination'], message, 'application-permitted')];
}

/** Validates that the project allows the Namespace that Argo CD creates, like any other object. */
function validateCreatedNamespace(
  { syncPolicy, destination }: ApplicationSpec,
  project: AppProjectSpec,
  name: string,
): Finding[] {
  const options = syncPolicy?.syncOptions ?? [];
  const { namespace = '' } = destination;
  const at = options.indexOf('CreateNamespace=true');
  if (at < 0 || namespace.includes('{{')) return [];
  if (permitsClusterKind(project, { group: '', kind: 'Namespace', name: namespace })) return [];
  const message = `must be left out where the project ${show(name)} lets in no Namespace ${show(namespace)}`;
  return [errorAt(['syncPolicy', 'syncOptions', at], message, 'application-permitted')];
}
