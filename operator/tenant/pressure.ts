import { parseQuantity } from '../../kube/quantity.ts';
import type { PressureEntry } from '../../crds/tenantry/tenant-status.ts';

/** A quota and how much of it is used. */
export interface UsedQuota {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly hard?: Readonly<Record<string, string>> | undefined;
  readonly used?: Readonly<Record<string, string>> | undefined;
}

/** How much of a resource is used: nine tenths and more, eight tenths and more, less. */
type Level = 'little left' | 'some left' | 'enough left';

/** Of each resource of a quota. */
export function levelsOf({ hard = {}, used = {} }: UsedQuota): Readonly<Record<string, Level>> {
  const entries = Object.entries(hard).map(([resource, most]) => [
    resource,
    levelOf(parseQuantity(used[resource] ?? '0'), parseQuantity(most)),
  ]);
  return Object.fromEntries(entries) as Record<string, Level>;
}

/**
 * The resources of which little is left: from nine tenths of the quota on, and once told, until it is less than
 * eight tenths. So pods that come and go at the border do not write a status each.
 */
export function findQuotaPressure(
  quotas: readonly UsedQuota[],
  before: readonly PressureEntry[] = [],
): readonly PressureEntry[] {
  const reportedKeys = new Set(before.map((one) => keyOf(one)));
  return quotas.toSorted(byName).flatMap((quota) =>
    Object.entries(levelsOf(quota))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([resource, level]) => ({ level, entry: entryOf(quota, resource) }))
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

function entryOf({ metadata, hard = {} }: UsedQuota, resource: string): PressureEntry {
  const { name: quota, namespace = '' } = metadata;
  return { namespace, quota, resource, hard: hard[resource]! };
}

function levelOf(used: bigint | undefined, hard: bigint | undefined): Level {
  // What nobody may have is not used up.
  if (used === undefined || hard === undefined || hard <= 0n) return 'enough left';
  if (used * 10n >= hard * 9n) return 'little left';
  return used * 10n >= hard * 8n ? 'some left' : 'enough left';
}

function keyOf({ namespace, quota, resource }: Omit<PressureEntry, 'hard'>): string {
  return `${namespace}/${quota} ${resource}`;
}
