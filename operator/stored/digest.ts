import { createHash } from 'node:crypto';
import { isMapping } from '../../kube/mapping.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import type { Content } from './content.ts';

type Place = readonly (string | number)[];

/**
 * The same for two contents exactly where they mean the same: fields and what is in lists in any order, for
 * all lists of these kinds are sets, and quantities by their amounts. Nobody can make another content with
 * the digest of a given one (half of SHA-256).
 */
export function digestOf(content: Content): string {
  const hash = createHash('sha256').update(meaningOf(content.fields, [], content));
  return hash.digest('base64url').slice(0, 22);
}

/** The one text for all values that mean the same. */
export function meaningOf(value: unknown, path: Place, { isQuantity }: Content): string {
  const within = (inside: unknown, at: string | number): string =>
    meaningOf(inside, [...path, at], { fields: {}, isQuantity });
  if (Array.isArray(value))
    return `[${value
      .map((item) => within(item, 0))
      .toSorted()
      .join()}]`;
  if (isMapping(value)) {
    const fields = Object.keys(value).toSorted();
    return `{${fields.map((name) => `${JSON.stringify(name)}:${within(value[name], name)}`).join()}}`;
  }
  if (isQuantity(path) && (typeof value === 'string' || typeof value === 'number')) {
    const amount = parseQuantity(value);
    if (amount !== undefined) return `${thousandths(amount)}m`;
  }
  return JSON.stringify(value);
}

/**
 * An amount as these kinds hold it: what is finer than a thousandth is rounded up.
 * Source: SetDefaults_ResourceList, https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/v1/defaults.go
 */
function thousandths(billionths: bigint): bigint {
  const [whole, rest] = [billionths / 1_000_000n, billionths % 1_000_000n];
  return rest > 0n ? whole + 1n : rest < 0n ? whole - 1n : whole;
}
