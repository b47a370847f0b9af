import type { Finding } from '../../kube/finding.ts';
import type { Path } from '../../kube/problem.ts';
import type { TenantApplication, TenantApplicationSet } from '../../crds/tenantry/tenant-argocd.ts';
import { resolveServer } from './cluster-server.ts';
import type { ResolvedNamespace, ResolvedTenant } from './layers/resolved.ts';
import { fillPlaceholders, type PlaceholderValue } from './placeholders.ts';
import { buildPlaceholderValues } from './surroundings.ts';

/** A place to which Applications of a tenant may deploy. */
export interface Destination {
  readonly server: string;
  readonly namespace: ResolvedNamespace;
}

/** An Application or ApplicationSet of a tenant for one destination, with its placeholders filled in. */
export interface Deployment<T> {
  /** The name of the object on Argo CD's cluster. It is unique, because a namespace belongs to one tenant. */
  readonly name: string;
  readonly destination: Destination;
  readonly declared: T;
  /** The place in the Tenant that declares it. */
  readonly path: Path;
  /** Errors about placeholders that have no value there. */
  readonly findings: readonly Finding[];
}

/**
 * Lists the namespaces into which Argo CD may deploy for the tenant: those that are Active. A person who may push to a
 * repository of the tenant has no access to the others.
 */
export function listDestinations({ namespaces, platform }: ResolvedTenant): Destination[] {
  return namespaces.flatMap((namespace) => {
    if (namespace.lifecycle !== 'Active') return [];
    const cluster = platform.clusters.find(({ name }) => name === namespace.cluster);
    const server = cluster && resolveServer(cluster);
    return server === undefined ? [] : [{ server, namespace }];
  });
}

/** Resolves the tenant's Applications, one for each of their namespaces and clusters. */
export function resolveApplications(resolved: ResolvedTenant): Deployment<TenantApplication>[] {
  return resolveDeployments(resolved, 'applications', resolved.argocd.applications);
}

/** Resolves the tenant's ApplicationSets. */
export function resolveApplicationSets(
  resolved: ResolvedTenant,
): Deployment<TenantApplicationSet>[] {
  return resolveDeployments(resolved, 'applicationSets', resolved.argocd.applicationSets);
}

function resolveDeployments<
  T extends { readonly name: string; readonly namespaces?: readonly string[] },
>(resolved: ResolvedTenant, field: string, all: readonly T[]): Deployment<T>[] {
  const destinations = listDestinations(resolved);
  return all.flatMap((one, i) => {
    const path = ['spec', 'argocd', field, i];
    return destinations
      .filter(({ namespace }) => one.namespaces?.includes(namespace.name) ?? true)
      .map((destination) => {
        const { value, findings } = fillPlaceholders(
          one,
          buildDeploymentPlaceholders(resolved, destination.namespace),
          path,
        );
        const { name, cluster } = destination.namespace;
        const full = `${name}.${cluster}.${one.name}`;
        return { name: full, destination, declared: value as T, path, findings };
      });
  });
}

function buildDeploymentPlaceholders(
  { declaration }: ResolvedTenant,
  { name: namespace, environment, cluster }: ResolvedNamespace,
): ReadonlyMap<string, PlaceholderValue> {
  const surroundings = { tenant: declaration.name, namespace, environment };
  const lack = `namespace ${namespace} has no environment`;
  return buildPlaceholderValues(surroundings, lack).set('cluster', { value: cluster });
}
