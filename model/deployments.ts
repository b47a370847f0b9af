import type { Finding } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import type { TenantApplication, TenantApplicationSet, GroupKind } from '../crds/tenant-argocd.ts';
import { builtinScope, type Scope } from '@tenantry/kube/builtin-kinds';
import { resolveServer } from './argocd-names.ts';
import type { ResolvedNamespace, ResolvedTenant } from './layers/resolved.ts';
import { fillPlaceholders, buildPlaceholderValues, type PlaceholderValue } from './placeholders.ts';

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

const groups = {
  '': [
    'ConfigMap',
    'PersistentVolumeClaim',
    'Pod',
    'ReplicationController',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  apps: ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  autoscaling: ['HorizontalPodAutoscaler'],
  batch: ['CronJob', 'Job'],
  'networking.k8s.io': ['Ingress'],
  policy: ['PodDisruptionBudget'],
  'resource.k8s.io': ['ResourceClaim', 'ResourceClaimTemplate'],
};

/**
 * The kinds that Applications of tenants may contain without permission of the class. Of the kinds that Kubernetes'
 * role `admin` may create, these grant no access, open no network, and are useful in Git.
 */
export const ordinaryKinds: readonly GroupKind[] = Object.entries(groups).flatMap(
  ([group, kinds]) => kinds.map((kind) => ({ group, kind })),
);

const ordinary: ReadonlySet<string> = new Set(ordinaryKinds.map(formatKind));

/** Whether a kind is one of the ordinary kinds. */
export function isOrdinaryKind(one: GroupKind): boolean {
  return ordinary.has(formatKind(one));
}

/** Groups in which every kind grants access, opens a network or bounds somebody. */
const bounding: ReadonlySet<string> = new Set([
  'rbac.authorization.k8s.io',
  'projectcalico.org',
  'crd.projectcalico.org',
  'cilium.io',
  'crd.antrea.io',
  'k8s.ovn.org',
  'argoproj.io',
  'tenantry.dev',
]);

const boundingKinds: ReadonlySet<string> = new Set([
  '/ResourceQuota',
  '/LimitRange',
  '/Endpoints',
  'discovery.k8s.io/EndpointSlice',
  'networking.k8s.io/NetworkPolicy',
]);

/**
 * Whether a kind grants access, opens a network or bounds somebody. Argo CD itself may write all of these, and no
 * admission policy applies to it.
 */
export function isRestrictedKind({ group, kind }: GroupKind): boolean {
  return bounding.has(group) || boundingKinds.has(`${group}/${kind}`);
}

/** Returns the scope of a kind, as far as Kubernetes or the platform knows. */
export function findScope(
  { group, kind }: GroupKind,
  kinds: ReadonlyMap<string, Scope>,
): Scope | undefined {
  return builtinScope(group, kind) ?? kinds.get(`${group}/${kind}`);
}

/** Formats a kind: `ConfigMap`, `Deployment.apps`. */
export function formatKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}
