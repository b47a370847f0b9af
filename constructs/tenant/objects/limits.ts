import type { KubeObject } from '../../../kube/object.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';
import type { Metadata } from './metadata.ts';
import { strings } from './quota.ts';

/** The LimitRange, if there is anything to say in it. */
export function limitRangeObjects(
  { settings }: ResolvedNamespace,
  metadata: Metadata,
): KubeObject[] {
  const { name, items } = settings.limits;
  if (items.length === 0) return [];
  const limits = items.map(({ type, ...values }) => ({
    type,
    ...Object.fromEntries(
      Object.entries(values).map(([field, quantities]) => [field, strings(quantities)]),
    ),
  }));
  return [{ apiVersion: 'v1', kind: 'LimitRange', metadata: metadata(name), spec: { limits } }];
}
