import { formatQuantity, parseQuantity, shareUnits } from '@tenantry/kube/quantity';
import { entryOf } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import type { NamespaceEntry } from '../../crds/tenant.ts';
import type { Quantities } from '../../crds/quota.ts';
import type { ResolvedNamespace } from './resolved.ts';

interface WeightedShare {
  /** Breaks ties, so that the result depends on names alone and not on positions. */
  readonly name: string;
  readonly weight: number;
}

/**
 * Divides whole units by weight so that the parts add up exactly. Everyone gets the whole units of their share. The
 * rest goes one by one to the largest remainders, ties by name (Hamilton's method). The result has the order of the
 * parts.
 * @throws {RangeError} when all weights are 0 and there is something to divide.
 */
export function divide(units: bigint, parts: readonly WeightedShare[]): bigint[] {
  const weights = parts.map((part) => BigInt(part.weight));
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (sum === 0n) {
    if (units === 0n) return parts.map(() => 0n);
    throw new RangeError('must have a weight above 0 to divide by');
  }
  const shares = weights.map((weight) => (units * weight) / sum);
  let left = units - shares.reduce((a, b) => a + b, 0n);
  const byRemainder = parts
    .map((part, i) => ({ i, name: part.name, remainder: (units * weights[i]!) % sum }))
    .toSorted((a, b) => compare(b.remainder, a.remainder) || compare(a.name, b.name));
  for (const { i } of byRemainder) {
    if (left === 0n) break;
    shares[i]! += 1n;
    left -= 1n;
  }
  return shares;
}

function compare<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A namespace on a cluster, with the entry that declares it. */
export type NamespaceWithEntry = ResolvedNamespace & { readonly entry: NamespaceEntry | undefined };

/** Receives a finding about a key of the total. */
export type TotalReporter = (key: string, message: string, rule: 'total' | 'total-share') => void;

/**
 * Gives every namespace its part of a tenant-wide total: amounts that an entry fixes in its own `quota.hard` are
 * subtracted first, and the rest is divided by weights.
 * @param locate returns the place of the total for a key
 */
export function partitionTotal(
  total: Quantities,
  placed: readonly NamespaceWithEntry[],
  locate: (key: string) => Path,
  report: TotalReporter,
): ResolvedNamespace[] {
  const hard = placed.map(({ settings }) => new Map(Object.entries(settings.quota.hard)));
  for (const [key, amount] of Object.entries(total)) {
    const { shares = [], fault, warning } = divideKey(key, amount, placed);
    if (fault !== undefined) report(key, fault, 'total');
    if (warning !== undefined) report(key, warning, 'total-share');
    for (const [i, share] of shares) {
      hard[i]!.set(key, share);
      placed[i]!.origins?.record(['quota', 'hard', key], locate(key));
    }
  }
  return placed.map((namespace, i) => ({
    ...namespace,
    settings: {
      ...namespace.settings,
      quota: { ...namespace.settings.quota, hard: Object.fromEntries(hard[i]!) },
    },
  }));
}

type DivisionResult =
  | {
      readonly shares: ReadonlyMap<number, string>;
      readonly fault?: never;
      /** The message about a namespace that gets nothing, although it has a weight. */
      readonly warning?: string | undefined;
    }
  | { readonly shares?: never; readonly fault: string; readonly warning?: never };

/** Matches keys without which a namespace admits no pod. */
const POD_KEY = /^(?:(?:count\/)?pods|(?:(?:requests|limits)\.)?(?:cpu|memory))$/;

/** Computes the shares of the namespaces that fix no amount of their own, by their positions. */
function divideKey(
  key: string,
  amount: string | number,
  placed: readonly NamespaceWithEntry[],
): DivisionResult {
  const units = shareUnits(key, amount);
  const { nano } = units.at(-1)!;
  const fixed = placed.map(({ entry }) => findFixedAmount(entry, key));
  const sharing = [...placed.entries()].filter(([i]) => fixed[i] === undefined);
  const rest = fixed.reduce<bigint>((left, one) => left - (one ?? 0n), parseQuantity(amount)!);
  if (rest < 0n) {
    return { fault: `must be at least what its namespaces fix in quota.hard, got ${amount}` };
  }
  const indivisible = `must be divisible over the namespaces, got ${amount}`;
  if (sharing.length === 0 && rest !== 0n) {
    return { fault: `${indivisible}: no namespace is left to take the rest` };
  }
  if (rest % nano !== 0n) {
    return { fault: `${indivisible}: the rest is not a whole number of units` };
  }
  const parts = buildShares(sharing.map(([, one]) => one));
  if (rest !== 0n && parts.every(({ weight }) => weight === 0)) {
    return { fault: 'must have a weight above 0 to divide by' };
  }
  const shares = divide(rest / nano, parts);
  const written = shares.map((share) => formatQuantity(share * nano, units));
  const empty = shares.findIndex((share, n) => share === 0n && parts[n]!.weight > 0);
  const isShort = empty >= 0 && rest > 0n && POD_KEY.test(key);
  const warning = `must be enough for all namespaces, got ${amount}, of which ${sharing[empty]?.[1].name} gets none`;
  return {
    shares: new Map(sharing.map(([i], n) => [i, written[n]!])),
    warning: isShort ? warning : undefined,
  };
}

/** Returns the amount that an entry fixes for itself. */
function findFixedAmount(entry: NamespaceEntry | undefined, key: string): bigint | undefined {
  const own = entryOf(entry?.quota?.hard, key);
  return own === undefined || own === 'unlimited' ? undefined : parseQuantity(own)!;
}

/** Builds the shares. A Retired namespace gives its share to the others, unless all are Retired. */
function buildShares(sharing: readonly NamespaceWithEntry[]): WeightedShare[] {
  const isAnyAlive = sharing.some(({ lifecycle }) => lifecycle !== 'Retired');
  return sharing.map(({ name, cluster, lifecycle, entry }) => ({
    name: `${cluster}/${name}`,
    weight: isAnyAlive && lifecycle === 'Retired' ? 0 : (entry?.quota?.weight ?? 1),
  }));
}
