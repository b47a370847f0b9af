import * as core from '@tenantry/runtime/kinds/core';
import { hash } from 'node:crypto';
import { tenantClass } from '../../crds/tenant-class.ts';
import { accessRequest } from '../../crds/access-request.ts';
import { tenant } from '../../crds/tenant.ts';
import type { TenantStatus } from '../../crds/tenant-status.ts';
import type { TenantClassSpec, TenantSpec } from '../../crds/types.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { truncate } from '@tenantry/kube/printable';
import {
  kindOf,
  projectionOf,
  type ProjectionOf,
  type Kind,
  type Live,
  type ObjectMeta,
} from '@tenantry/runtime/kinds/kind';
import type { Namespace } from '@tenantry/runtime/kinds/core';
import { NetworkPolicy } from '@tenantry/runtime/kinds/networking';
import { PodDisruptionBudget } from '@tenantry/runtime/kinds/policy';
import { Role, RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { normalizeContent, digestContent } from '../stored/content.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { isMapping } from '@tenantry/kube/mapping';

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

/** The request of a person for a ClusterRole, as stored in the cluster. */
export const AccessRequest = kindOf(accessRequest, 'v1alpha1');

/** What is kept in memory of an object of a tenant: enough to decide whether it is as declared. */
export interface Kept {
  /** `digestContent` its content. */
  readonly digest: string;
  /** Its content, if it is short and the object has no tenant's label. */
  readonly brief?: Brief;
  /** Set for a Role with wildcards or with rights that allow privilege escalation. */
  readonly isBroad?: true;
}

const kept = (object: Live): Kept => ({
  digest: digestContent(normalizeContent(object as KubeObject)!),
});
/** Also keeps the content, for kinds in which undeclared objects matter. */
const withBrief = (object: Live): Kept => ({ ...kept(object), ...readBrief(object as KubeObject) });

/** The most keys of a quota that are kept. */
const MAX_KEYS = 256;

/** Returns the projection of a kind in tenants' namespaces, without the parts that tenants' users can fill. */
function createProjection<K extends Kind, Part extends object>(
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
export const quotas = createProjection(core.ResourceQuota, (object) => ({
  ...withBrief(object),
  hard: pickFirst(object.status?.hard),
  used: pickFirst(object.status?.used),
}));
export const limitRanges = createProjection(core.LimitRange, withBrief);
export const serviceAccounts = createProjection(core.ServiceAccount, kept);
export const roles = createProjection(Role, (object): Kept => {
  const isBroad = isBroadRole(object as Live as KubeObject);
  return isBroad ? { ...withBrief(object), isBroad } : kept(object);
});
export const roleBindings = createProjection(RoleBinding, withBrief);
export const networkPolicies = createProjection(NetworkPolicy, withBrief);
const disruptionBudgets = createProjection(PodDisruptionBudget, kept);

function pickFirst<T>(amounts: Readonly<Record<string, T>> | undefined) {
  if (!amounts) return undefined;
  const keys = Object.keys(amounts).toSorted();
  if (keys.length <= MAX_KEYS) return amounts;
  return Object.fromEntries(keys.slice(0, MAX_KEYS).map((key) => [key, amounts[key]!]));
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
export function getWholeKind({ kind, apiVersion }: KubeObject): WholeKind {
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

/** The most characters of a quotation. */
const MAX_QUOTATION_LENGTH = 400;

/** The conditions that report what keeps a Namespace: failures of its deletion, and remaining content. */
const keeping = /^Namespace(Deletion\w+Failure|ContentRemaining|FinalizersRemaining)$/;

/**
 * Describes what a Namespace that is being deleted waits for: the messages of its conditions, or else its own
 * finalizers. Returns undefined if there is neither, or if it is not being deleted.
 */
export function describeDeletionBlockers({
  metadata,
  status,
}: Live<typeof Namespace>): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  const conditions = (status?.conditions ?? []).filter(
    (one) => one.status === 'True' && keeping.test(one.type),
  );
  const words = conditions.map(({ type, message = '' }) => `${type}: ${message}`);
  const { finalizers = [] } = metadata;
  const own = finalizers.length > 0 ? [`finalizers ${finalizers.join(', ')}`] : [];
  const all = [...words, ...own].join('; ').replaceAll(/\s+/g, ' ').trim();
  return all === '' ? undefined : truncate(all, MAX_QUOTATION_LENGTH);
}

/** The most characters of an object's labels and annotations that are kept, keys included. */
export const MAX_KEPT_METADATA = 4096;
/** The most characters of a value that is kept unchanged. */
const MAX_KEPT_VALUE = 256;
/** The most owners and finalizers of an object that are kept. */
const MAX_LISTED = 8;

/** Keys that decide or report something. They are kept first. */
const first =
  /^(?:tenantry\.dev|policy\.tenantry\.dev|pod-security\.kubernetes\.io|argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io|eks\.amazonaws\.com|iam\.gke\.io|azure\.workload\.identity)\/|^app\.kubernetes\.io\/(?:instance|managed-by)$/;

type Words = Readonly<Record<string, string>>;

/**
 * Keeps the metadata of an object that the operator compares and reports. Tenants' users write most of it: hundreds of
 * objects with annotations of 256 KiB must not fill the operator's memory. If an object has more than `MAX_KEPT_METADATA`
 * characters of labels and annotations, some are left out. A comparison of such an object reads it whole.
 */
export function keepMetadata({ metadata }: Live): ObjectMeta {
  const { name, namespace, uid, resourceVersion, generation } = metadata;
  const { creationTimestamp, deletionTimestamp, ownerReferences, finalizers } = metadata;
  const budget = { left: MAX_KEPT_METADATA };
  const labels = metadata.labels && keepWords(metadata.labels, budget);
  const annotations = metadata.annotations && keepWords(metadata.annotations, budget);
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    uid,
    resourceVersion,
    ...(generation !== undefined && { generation }),
    creationTimestamp,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences: ownerReferences.slice(0, MAX_LISTED) }),
    ...(finalizers && { finalizers: finalizers.slice(0, MAX_LISTED) }),
  };
}

function keepWords(words: Words, budget: { left: number }): Words {
  const kept: [string, string][] = [];
  for (const key of sorted(Object.keys(words))) {
    const value = keptValue(words[key]!);
    const size = key.length + value.length;
    if (size > budget.left) break;
    budget.left -= size;
    kept.push([key, value]);
  }
  return Object.fromEntries(kept);
}

/** Sorts keys in a stable order, so that writes of an object do not change which keys are left out. */
function sorted(keys: readonly string[]): readonly string[] {
  const rank = (key: string): string => `${first.test(key) ? 0 : 1}${key}`;
  return keys.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** Returns the value to keep: its digest if it is long, so that two values can still be compared. */
export function keptValue(value: string): string {
  if (value.length <= MAX_KEPT_VALUE) return value;
  return `sha256:${hash('sha256', value, 'base64url')}`;
}

/** The most characters of JSON that are kept of an undeclared object. */
const MAX_BRIEF_LENGTH = 4_096;

/** The fields by which objects grant access or limit what pods may use. */
const fields = ['spec', 'rules', 'roleRef', 'subjects'] as const;

/** The content of an object, kept whole. */
export type Brief = Readonly<Partial<Record<(typeof fields)[number], unknown>>>;

/**
 * Returns what is kept of an object without a tenant's label, which is probably undeclared: its content, if that is
 * short. So it can be reported without a request to the API server.
 */
export function readBrief(object: KubeObject): { readonly brief?: Brief } {
  if (object.metadata.labels?.[TENANT_LABEL] !== undefined) return {};
  const present = fields.filter((field) => object[field] !== undefined);
  const brief = Object.fromEntries(present.map((field) => [field, object[field]]));
  return JSON.stringify(brief).length > MAX_BRIEF_LENGTH ? {} : { brief };
}

/**
 * Verbs that allow privilege escalation.
 * Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks
 */
const escalating: ReadonlySet<unknown> = new Set(['*', 'bind', 'escalate', 'impersonate']);

/** Whether a Role contains wildcards or rights that allow privilege escalation. */
export function isBroadRole({ rules }: KubeObject): boolean {
  if (!Array.isArray(rules)) return false;
  return rules.some(
    (rule: unknown) =>
      isMapping(rule) &&
      (has(rule['verbs'], (verb) => escalating.has(verb)) ||
        ['resources', 'apiGroups'].some((field) => has(rule[field], (one) => one === '*'))),
  );
}

function has(list: unknown, matches: (one: unknown) => boolean): boolean {
  return Array.isArray(list) && list.some(matches);
}
