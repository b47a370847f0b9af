import { tenantClass } from '../../crds/tenantry/tenant-class.ts';
import { tenant } from '../../crds/tenantry/tenant.ts';
import type { TenantStatus } from '../../crds/tenantry/tenant-status.ts';
import type { TenantClassSpec, TenantSpec } from '../../crds/tenantry/types.ts';
import type { KubeObject } from '../../kube/object.ts';
import { projectionOf, type ProjectionOf } from '../../runtime/controller/projection-of.ts';
import * as core from '../../runtime/kinds/core.ts';
import type { Kind, Live } from '../../runtime/kinds/kind.ts';
import { NetworkPolicy } from '../../runtime/kinds/networking.ts';
import { PodDisruptionBudget } from '../../runtime/kinds/policy.ts';
import { Role, RoleBinding } from '../../runtime/kinds/rbac.ts';
import { briefOf, type Brief } from '../stored/brief.ts';
import { isBroadRole } from '../stored/broad-role.ts';
import { normalizeContent } from '../stored/content.ts';
import { digestOf } from '../stored/digest.ts';
import { keepMetadata } from './kept-metadata.ts';
import { describeDeletionBlockers } from './waits-for.ts';

/** A Tenant as stored in the cluster. */
export const Tenant: Kind<
  { readonly spec?: TenantSpec; readonly status?: TenantStatus },
  string,
  'Tenant'
> = {
  group: tenant.group,
  version: 'v1alpha1',
  kind: 'Tenant',
  plural: tenant.plural,
  scope: 'Cluster',
};

/** A TenantClass as stored in the cluster. */
export const TenantClass: Kind<{ readonly spec?: TenantClassSpec }, string, 'TenantClass'> = {
  group: tenantClass.group,
  version: 'v1alpha1',
  kind: 'TenantClass',
  plural: tenantClass.plural,
  scope: 'Cluster',
};

/** What is kept in memory of an object of a tenant: enough to decide whether it is as declared. */
export interface Kept {
  /** `digestOf` its content. */
  readonly digest: string;
  /** Its content, if it is short and the object has no tenant's label. */
  readonly brief?: Brief;
  /** Set for a Role with wildcards or with rights that allow privilege escalation. */
  readonly isBroad?: true;
}

const kept = (object: Live): Kept => ({
  digest: digestOf(normalizeContent(object as KubeObject)!),
});
/** Also keeps the content, for kinds in which undeclared objects matter. */
const withBrief = (object: Live): Kept => ({ ...kept(object), ...briefOf(object as KubeObject) });

/** The most keys of a quota that are kept. */
const MOST_KEYS = 256;

/** Returns the projection of a kind in tenants' namespaces, without the parts that tenants' users can fill. */
function keptOf<K extends Kind, Part extends object>(
  kind: K,
  keep: (object: Live<K>) => Part,
): ProjectionOf<K, Part> {
  const { project, ...projection } = projectionOf(kind, keep);
  return {
    ...projection,
    project: (object) => ({ ...project(object), metadata: keepMetadata(object) }),
  };
}

/** Tenants' Namespaces, reduced to a digest: whole objects would take megabytes for every thousand. */
export const namespaces = projectionOf(core.Namespace, (object) => ({
  ...kept(object),
  phase: object.status?.phase,
  waitsFor: describeDeletionBlockers(object),
}));
/** Quotas, with their usage for the metrics. */
export const quotas = keptOf(core.ResourceQuota, (object) => ({
  ...withBrief(object),
  hard: firstOf(object.status?.hard),
  used: firstOf(object.status?.used),
}));
export const limitRanges = keptOf(core.LimitRange, withBrief);
export const serviceAccounts = keptOf(core.ServiceAccount, kept);
export const roles = keptOf(Role, (object): Kept => {
  const isBroad = isBroadRole(object as Live as KubeObject);
  return isBroad ? { ...withBrief(object), isBroad } : kept(object);
});
export const roleBindings = keptOf(RoleBinding, withBrief);
export const networkPolicies = keptOf(NetworkPolicy, withBrief);
export const disruptionBudgets = keptOf(PodDisruptionBudget, kept);

function firstOf<T>(amounts: Readonly<Record<string, T>> | undefined) {
  if (!amounts) return undefined;
  const keys = Object.keys(amounts).toSorted();
  if (keys.length <= MOST_KEYS) return amounts;
  return Object.fromEntries(keys.slice(0, MOST_KEYS).map((key) => [key, amounts[key]!]));
}

/** The unprojected kinds, to read single objects whole. */
export const wholeKinds = [
  core.Namespace,
  core.ResourceQuota,
  core.LimitRange,
  core.ServiceAccount,
  Role,
  RoleBinding,
  NetworkPolicy,
  PodDisruptionBudget,
] as const;

/** One of the `wholeKinds`. */
export type WholeKind = (typeof wholeKinds)[number];

/** Returns the whole kind of an object of a tenant. */
export function wholeKindOf({ kind, apiVersion }: KubeObject): WholeKind {
  const whole = wholeKinds.find((one) => one.kind === kind);
  if (!whole) throw new Error(`${apiVersion} ${kind} is not a kind of which tenants consist`);
  return whole;
}

/** The observed kinds that are namespaced. */
export const namespacedKinds = [
  quotas,
  limitRanges,
  serviceAccounts,
  roles,
  roleBindings,
  networkPolicies,
  disruptionBudgets,
] as const;

/** A kind of which tenants consist. */
export type ObservedKind = typeof namespaces | (typeof namespacedKinds)[number];

/** All kinds of which tenants consist. */
export const observedKinds: readonly ObservedKind[] = [namespaces, ...namespacedKinds];
