import { isMapping } from '../../kube/mapping.ts';
import type { KubeObject } from '../../kube/object.ts';
import { parseQuantity } from '../../kube/quantity.ts';

/** The keys of a quota that are parts of a total over the namespaces of a tenant. */
export type SharedKeys = ReadonlySet<string>;

/** Returns the amounts of a quota that are such parts; none for a quota with scopes. */
export function sharesOf(quota: KubeObject | undefined, keys: SharedKeys): Map<string, bigint> {
  const spec = isMapping(quota?.['spec']) ? quota['spec'] : {};
  if (quota?.kind !== 'ResourceQuota' || spec['scopes'] || spec['scopeSelector']) return new Map();
  const hard = isMapping(spec['hard']) ? spec['hard'] : {};
  return new Map(
    [...keys].flatMap((key): [string, bigint][] => {
      const amount = parseQuantity((hard[key] as string | undefined) ?? '');
      return amount === undefined ? [] : [[key, amount]];
    }),
  );
}

/** Returns the quota with no part above that of another one, and without parts that the other one lacks. */
export function lowerShares(
  quota: KubeObject,
  other: KubeObject | undefined,
  keys: SharedKeys,
): KubeObject {
  const [most, own] = [sharesOf(other, keys), sharesOf(quota, keys)];
  const spec = quota['spec'] as { readonly hard: Readonly<Record<string, string>> };
  const there = (other?.['spec'] as typeof spec | undefined)?.hard ?? {};
  const hard = Object.entries(spec.hard).map(([key, amount]) => {
    if (!own.has(key)) return [key, amount];
    const bound = most.get(key);
    if (bound === undefined) return [key, '0'];
    return [key, bound < own.get(key)! ? String(there[key]) : amount];
  });
  return { ...quota, spec: { ...spec, hard: Object.fromEntries(hard) as Record<string, string> } };
}

/** Whether a part of the first quota is above that of the second. */
export function hasMore(one: KubeObject, other: KubeObject | undefined, keys: SharedKeys): boolean {
  const bounds = sharesOf(other, keys);
  return [...sharesOf(one, keys)].some(([key, amount]) => amount > (bounds.get(key) ?? 0n));
}

/**
 * Returns the key whose total would be exceeded if a quota were created. That is the case for more than is declared for
 * all namespaces. While a namespace that left the declaration still holds some, it is the case for any amount.
 * @param live all quotas of the tenant
 */
export function findExceededKey(
  quota: KubeObject,
  declared: readonly KubeObject[],
  live: readonly KubeObject[],
  keys: SharedKeys,
): { readonly key: string; readonly holder?: string } | undefined {
  const namespaces = new Set(declared.map(({ metadata }) => metadata.namespace));
  const others = live.filter((one) => !isSame(one, quota));
  const before = sharesOf(
    live.find((one) => isSame(one, quota)),
    keys,
  );
  for (const [key, amount] of sharesOf(quota, keys)) {
    if (amount <= (before.get(key) ?? 0n)) continue;
    const sum = (ones: readonly KubeObject[]): bigint =>
      ones.reduce((all, one) => all + (sharesOf(one, keys).get(key) ?? 0n), 0n);
    const left = others.find(
      (one) => !namespaces.has(one.metadata.namespace) && (sharesOf(one, keys).get(key) ?? 0n) > 0n,
    );
    if (left) return { key, holder: left.metadata.namespace! };
    if (sum(others) + amount > sum(declared)) return { key };
  }
  return undefined;
}

function isSame({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}
