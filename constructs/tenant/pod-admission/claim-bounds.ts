import type { LimitItem } from '../../../crds/tenantry/quota.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { formatAmount, roundTogether } from './amounts.ts';
import { readAmounts, type Amounts } from './pod-resources.ts';
import type { StorageClaim } from './workload-pods.ts';

const STORAGE = 'storage';

/** Lists why a LimitRange refuses a volume claim. Source: PersistentVolumeClaimValidateLimitFunc */
export function listStorageClaimRefusals(
  claim: StorageClaim,
  items: readonly LimitItem[],
): string[] {
  if (claim.copies === 0) return [];
  const amount = formatAmount(STORAGE, claim.storage);
  return items
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
}

/**
 * Computes what a volume claim, with all its copies, uses of a quota.
 * Source: pkg/quota/v1/evaluator/core persistent_volume_claims.go
 */
export function claimUsage({ storage, storageClass, copies }: StorageClaim): Amounts {
  const count = parseQuantity(copies)!;
  const usage = new Map([['count/persistentvolumeclaims', count]]);
  const prefix = `${storageClass}.storageclass.storage.k8s.io/`;
  for (const start of storageClass === undefined ? [''] : ['', prefix]) {
    usage.set(`${start}requests.storage`, storage * BigInt(copies));
    usage.set(`${start}persistentvolumeclaims`, count);
  }
  return usage;
}

function isBelow(amount: bigint, bound: bigint): boolean {
  const [left, right] = roundTogether(amount, bound);
  return left! < right!;
}
