import { divisionUnit, formatQuantity, parseQuantity } from '../../kube/quantity.ts';
import { entryOf } from '../../kube/mapping.ts';
import type { Path } from '../../kube/problem.ts';
import type { NamespaceEntry } from '../../crds/tenantry/tenant.ts';
import type { Quantities } from '../../crds/tenantry/quota.ts';
import type { ResolvedNamespace } from './resolved.ts';

interface Part {
  /** Decides ties, so that the result depends on names alone and not on positions. */
  readonly name: string;
  readonly weight: number;
}

/**
 * Divides whole units by weight so that the parts add up to them exactly: everyone gets the whole
 * units of the share, what is left goes one by one to the largest remainders, ties by name
 * (Hamilton's method). The result has the order of the parts.
 * @throws {RangeError} when all weights are 0 and there is something to divide.
 */
export function divide(units: bigint, parts: readonly Part[]): bigint[] {
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

const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

type Placed = ResolvedNamespace & { readonly entry: NamespaceEntry | undefined };

/**
 * Gives every namespace its part of a tenant-wide total: what an entry fixes in its own
 * `quota.hard` is taken first, weights share the rest.
 */
export function partitionTotal(
  total: Quantities,
  placed: readonly Placed[],
  error: (path: Path, message: string, rule: string) => void,
): ResolvedNamespace[] {
  const hard = placed.map(({ settings }) => new Map(Object.entries(settings.quota.hard)));
  for (const [key, amount] of Object.entries(total)) {
    const path = ['spec', 'quota', 'total', key];
    const { suffix, nano } = divisionUnit(key, amount);
    let rest = parseQuantity(amount)!;
    const sharing: number[] = [];
    placed.forEach(({ entry }, i) => {
      const fixed = entryOf(entry?.quota?.hard, key);
      if (fixed === undefined || fixed === 'unlimited') sharing.push(i);
      else {
        rest -= parseQuantity(fixed)!;
        hard[i]!.set(key, fixed);
      }
    });
    if (rest < 0n) {
      error(path, `must be at least what its namespaces fix in quota.hard, got ${amount}`, 'total');
      continue;
    }
    if (rest % nano !== 0n || (sharing.length === 0 && rest !== 0n)) {
      const reason =
        sharing.length === 0
          ? 'no namespace is left to take the rest'
          : 'the rest is no whole number of units';
      error(path, `must be divisible over the namespaces, got ${amount}: ${reason}`, 'total');
      continue;
    }
    // What is Retired gives its share to the others, unless nobody is left to take it.
    const active = sharing.some((i) => placed[i]!.lifecycle !== 'Retired');
    const parts = sharing.map((i) => ({
      name: `${placed[i]!.cluster}/${placed[i]!.name}`,
      weight:
        active && placed[i]!.lifecycle === 'Retired' ? 0 : (placed[i]!.entry?.quota?.weight ?? 1),
    }));
    try {
      const shares = divide(rest / nano, parts);
      sharing.forEach((i, n) => {
        hard[i]!.set(key, formatQuantity(shares[n]!, suffix));
      });
    } catch (cause) {
      error(path, (cause as Error).message, 'total');
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
