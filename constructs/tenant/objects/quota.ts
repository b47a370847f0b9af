import type { KubeObject } from '../../../crds/object.ts';
import type { ScopedQuota } from '../../../crds/tenantry/quota.ts';
import type { ResolvedNamespace } from '../resolved.ts';
import type { Metadata } from './metadata.ts';

/**
 * The ResourceQuotas. A namespace that is not Active gets no new pods: `pods: 0`, which leaves
 * running ones alone (https://kubernetes.io/docs/concepts/policy/resource-quotas/).
 */
export function quotaObjects(
  { settings, lifecycle }: ResolvedNamespace,
  metadata: Metadata,
): KubeObject[] {
  const { name, hard, scoped } = settings.quota;
  const bounds = lifecycle === 'Active' ? hard : { ...hard, pods: '0' };
  const quota = (own: string, spec: object): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: metadata(own),
    spec,
  });
  return [
    ...(Object.keys(bounds).length > 0 ? [quota(name, { hard: strings(bounds) })] : []),
    ...scoped.map((item) => quota(item.name, scopedSpec(item))),
  ];
}

function scopedSpec({ hard, scopes, scopeSelector }: ScopedQuota): object {
  const kept = Object.entries(hard).filter(([, value]) => value !== 'unlimited');
  return {
    hard: strings(Object.fromEntries(kept)),
    ...(scopes && { scopes }),
    ...(scopeSelector && { scopeSelector: { matchExpressions: scopeSelector } }),
  };
}

/** Quantities are strings in Kubernetes' JSON; a plain number would show up as a difference. */
export function strings(
  quantities: Readonly<Record<string, string | number>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(quantities).map(([key, value]) => [key, String(value)]));
}
