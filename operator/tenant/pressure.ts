import { parseQuantity } from '@tenantry/kube/quantity';
import type { PressureEntry } from '../../crds/tenant-status.ts';

/** A quota and its usage. */
export interface UsedQuota {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly hard?: Readonly<Record<string, string>> | undefined;
  readonly used?: Readonly<Record<string, string>> | undefined;
}

/** The usage of a resource: at least nine tenths, at least eight tenths, or less. */
type Level = 'little left' | 'some left' | 'enough left';

/** Returns the level of each resource of a quota. */
export function computeLevels({
  hard = {},
  used = {},
}: UsedQuota): Readonly<Record<string, Level>> {
  const entries = Object.entries(hard).map(([resource, most]) => [
    resource,
    computeLevel(parseQuantity(used[resource] ?? '0'), parseQuantity(most)),
  ]);
  return Object.fromEntries(entries) as Record<string, Level>;
}

/**
 * Returns the resources that are nearly used up. A resource is reported from nine tenths of the quota on, until it
 * falls below eight tenths. So pods that come and go near the limit do not cause a status write each.
 */
export function findQuotaPressure(
  quotas: readonly UsedQuota[],
  before: readonly PressureEntry[] = [],
): readonly PressureEntry[] {
  const reportedKeys = new Set(before.map((one) => keyOf(one)));
  return quotas.toSorted(byName).flatMap((quota) =>
    Object.entries(computeLevels(quota))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([resource, level]) => ({ level, entry: buildEntry(quota, resource) }))
      .filter(
        ({ level, entry }) =>
          level === 'little left' || (level === 'some left' && reportedKeys.has(keyOf(entry))),
      )
      .map(({ entry }) => entry),
  );
}

function byName({ metadata: a }: UsedQuota, { metadata: b }: UsedQuota): number {
  return `${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1;
}

function buildEntry({ metadata, hard = {} }: UsedQuota, resource: string): PressureEntry {
  const { name: quota, namespace = '' } = metadata;
  return { namespace, quota, resource, hard: hard[resource]! };
}

function computeLevel(used: bigint | undefined, hard: bigint | undefined): Level {
  // A resource with a limit of 0 cannot be used up.
  if (used === undefined || hard === undefined || hard <= 0n) return 'enough left';
  if (used * 10n >= hard * 9n) return 'little left';
  return used * 10n >= hard * 8n ? 'some left' : 'enough left';
}

function keyOf({ namespace, quota, resource }: Omit<PressureEntry, 'hard'>): string {
  return `${namespace}/${quota} ${resource}`;
}
