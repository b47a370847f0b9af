import type { KubeObject } from '@tenantry/kube/object';
import { parseQuantity } from '@tenantry/kube/quantity';
import { listCountKeyAliases } from '@tenantry/kube/quota-keys';
import type { Quantities, ScopedQuota } from '../../crds/quota.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';
import {
  listNeighborQuotaNames,
  listPodQuotas,
  OBJECTS_QUOTA,
  computeObjectCounts,
} from './neighbor-quotas.ts';
import { allowsUncountedObjects } from '../classes/allowances.ts';
import type { MetadataFactory } from './metadata.ts';

/**
 * Builds the ResourceQuota. A namespace that is not Active gets no new pods: `pods: 0`, which does not affect running
 * ones (https://kubernetes.io/docs/concepts/policy/resource-quotas/).
 */
export function buildQuotas(
  { settings, lifecycle, klass }: ResolvedNamespace,
  metadata: MetadataFactory,
): KubeObject[] {
  const { name, hard } = settings.quota;
  const declared = addQuotaCount(hard, listNeighborQuotaNames(klass.spec).length);
  const bounds = lifecycle === 'Active' ? declared : { ...declared, pods: '0' };
  if (Object.keys(bounds).length === 0) return [];
  return [buildResourceQuota(metadata(name), { hard: stringifyQuantities(bounds) })];
}

/** Builds the further ResourceQuotas, which are for some pods only. */
export function buildScopedQuotas(
  { settings }: ResolvedNamespace,
  metadata: MetadataFactory,
): KubeObject[] {
  return settings.quota.scoped.map((item) =>
    buildResourceQuota(metadata(item.name), buildScopedSpec(item)),
  );
}

/** Adds the platform's own quotas to a declared bound on quotas, which is about those of the tenant. */
function addQuotaCount(hard: Quantities, more: number): Quantities {
  const entries = Object.entries(hard).map(([key, value]): [string, string | number] => {
    if (more === 0 || !quotaCounts.includes(key)) return [key, value];
    return [key, String(parseQuantity(value)! / parseQuantity(1)! + BigInt(more))];
  });
  return Object.fromEntries(entries);
}

const quotaCounts = listCountKeyAliases('resourcequotas');

function buildResourceQuota(metadata: KubeObject['metadata'], spec: object): KubeObject {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec };
}

function buildScopedSpec({ hard, scopes, scopeSelector }: ScopedQuota): object {
  const kept = Object.entries(hard).filter(([, value]) => value !== 'unlimited');
  return {
    hard: stringifyQuantities(Object.fromEntries(kept)),
    ...(scopes && { scopes }),
    ...(scopeSelector && { scopeSelector: { matchExpressions: scopeSelector } }),
  };
}

/** Converts quantities to strings, as in Kubernetes' JSON; a number would be reported as a difference. */
function stringifyQuantities(
  quantities: Readonly<Record<string, string | number>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(quantities).map(([key, value]) => [key, String(value)]));
}

/** Builds the LimitRange, if it has any limits. */
export function buildLimitRanges(
  { settings }: ResolvedNamespace,
  metadata: MetadataFactory,
): KubeObject[] {
  const { name, items } = settings.limits;
  if (items.length === 0) return [];
  const limits = items.map(({ type, ...values }) => ({
    type,
    ...Object.fromEntries(
      Object.entries(values).map(([field, quantities]) => [field, stringifyQuantities(quantities)]),
    ),
  }));
  return [{ apiVersion: 'v1', kind: 'LimitRange', metadata: metadata(name), spec: { limits } }];
}

/**
 * Builds the ResourceQuotas that bound a tenant's effect on others. They count its objects of every kind. Its pods
 * neither outrank the pods of others nor keep them off nodes. Kubernetes enforces the quotas for everybody, without a
 * running component of Tenantry. See docs/adr/0094-quotas-protect-neighbors.md.
 * @param rendered the platform's other objects in the namespace
 */
export function buildNeighborQuotas(
  { settings, klass }: ResolvedNamespace,
  rendered: readonly KubeObject[],
  metadata: MetadataFactory,
): KubeObject[] {
  const { spec } = klass;
  const counts = allowsUncountedObjects(spec) ? {} : computeObjectCounts(settings.quota, rendered);
  return [
    ...(Object.keys(counts).length > 0
      ? [buildResourceQuota(metadata(OBJECTS_QUOTA), { hard: stringifyQuantities(counts) })]
      : []),
    ...listPodQuotas(spec).map((quota) =>
      buildResourceQuota(metadata(quota.name), buildScopedSpec(quota)),
    ),
  ];
}
