import type { LimitItem } from '../../../crds/tenantry/quota.ts';
import { entryOf } from '../../../kube/mapping.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { formatAmount, roundTogether } from './amounts.ts';
import type { PodQuota } from './pod-quota.ts';
import { readAmounts } from './pod-resources.ts';
import type { StorageClaim } from './workload-pods.ts';

const STORAGE = 'storage';

/**
 * Lists why a LimitRange and a quota refuse a volume claim.
 * Source: PersistentVolumeClaimValidateLimitFunc, pkg/quota/v1/evaluator/core persistent_volume_claims.go
 */
export function claimRefusals(
  claim: StorageClaim,
  items: readonly LimitItem[],
  { name, hard }: Pick<PodQuota, 'name' | 'hard'>,
): string[] {
  const amount = formatAmount(STORAGE, claim.storage);
  const ofLimits = items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item): string[] => {
      const [min, max] = [item.min, item.max].map((one) => readAmounts(one).get(STORAGE));
      if (min !== undefined && isBelow(claim.storage, min)) {
        return [`${amount}, below min ${item.min![STORAGE]} of PersistentVolumeClaim`];
      }
      if (max !== undefined && isBelow(max, claim.storage)) {
        return [`${amount}, above max ${item.max![STORAGE]} of PersistentVolumeClaim`];
      }
      return [];
    });
  const prefix = `${claim.storageClass}.storageclass.storage.k8s.io/`;
  const prefixes = ['', ...(claim.storageClass === undefined ? [] : [prefix])];
  const copies = BigInt(claim.copies);
  const ofQuota = prefixes.flatMap((start) => {
    const used: [string, bigint][] = [
      [`${start}requests.storage`, claim.storage * copies],
      [`${start}persistentvolumeclaims`, parseQuantity(1)! * copies],
    ];
    return used.flatMap(([key, usage]) => {
      const bound = entryOf<string | number>(hard, key);
      const most = bound === undefined ? undefined : parseQuantity(bound);
      if (most === undefined || usage <= most) return [];
      const of = claim.copies > 1 ? `${claim.copies} claims with ` : '';
      return [`${of}${formatAmount(key, usage)} of ${key}, above ${bound} of quota ${name}`];
    });
  });
  return [...ofLimits, ...ofQuota];
}

function isBelow(amount: bigint, bound: bigint): boolean {
  const [left, right] = roundTogether(amount, bound);
  return left! < right!;
}
