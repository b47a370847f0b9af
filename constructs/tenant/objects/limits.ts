import type { KubeObject } from '../../../kube/object.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';
import type { MetadataFactory } from './metadata.ts';
import { stringifyQuantities } from './quota.ts';

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
