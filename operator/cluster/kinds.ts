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

/** A Tenant as the cluster has it. */
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

/** A TenantClass as the cluster has it. */
export const TenantClass: Kind<{ readonly spec?: TenantClassSpec }, string, 'TenantClass'> = {
  group: tenantClass.group,
  version: 'v1alpha1',
  kind: 'TenantClass',
  plural: tenantClass.plural,
  scope: 'Cluster',
};

/** What is kept in memory of an object of a tenant: enough to know that it is as declared, or not. */
export interface Kept {
  /** `digestOf` what it says. */
  readonly digest: string;
  /** What it says, of one that no tenant's label marks, and as far as that is short. */
  readonly brief?: Brief;
  /** It is a Role with wildcards, or with rights by which one gets more rights. */
  readonly isBroad?: true;
}

const kept = (object: Live): Kept => ({
  digest: digestOf(normalizeContent(object as KubeObject)!),
});
/** With what it says, where nobody may have declared it. */
const withBrief = (object: Live): Kept => ({ ...kept(object), ...briefOf(object as KubeObject) });

/** Keys of a quota that are kept. */
const MOST_KEYS = 256;

/** What lies in the namespaces of tenants, without what their users can fill it with. */
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

/** Of what tenants consist, as it is kept: a digest, where the whole would be megabytes of every thousand. */
export const namespaces = projectionOf(core.Namespace, (object) => ({
  ...kept(object),
  phase: object.status?.phase,
  waitsFor: describeDeletionBlockers(object),
}));
/** With what is used of it, which metrics tell. */
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

/** The kinds themselves, of which single objects are read whole. */
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

/** One of them. */
export type WholeKind = (typeof wholeKinds)[number];

/** The whole kind of an object of a tenant. */
export function wholeKindOf({ kind, apiVersion }: KubeObject): WholeKind {
  const whole = wholeKinds.find((one) => one.kind === kind);
  if (!whole) throw new Error(`tenants do not consist of ${apiVersion} ${kind}`);
  return whole;
}

/** Those that lie in namespaces. */
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

/** All of them. */
export const observedKinds: readonly ObservedKind[] = [namespaces, ...namespacedKinds];
