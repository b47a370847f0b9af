import { hash } from 'node:crypto';
import { isMapping } from '@tenantry/kube/mapping';
import { parseQuantity } from '@tenantry/kube/quantity';
import type { Content } from './content.ts';

type Place = readonly (string | number)[];

/**
 * Returns a digest that is equal for two contents exactly if they mean the same. The order of fields and of list
 * entries does not matter, because all lists of these kinds are sets, and quantities count by amount. It is half of
 * SHA-256, so nobody can construct another content with a given digest.
 */
export function digestOf(content: Content): string {
  return hash('sha256', meaningOf(content.fields, [], content), 'base64url').slice(0, 22);
}

/** Returns the same text for all values that mean the same. */
export function meaningOf(value: unknown, path: Place, { isQuantity }: Content): string {
  return textOf(value, [...path], isQuantity);
}

/** @param path left unchanged */
function textOf(
  value: unknown,
  path: (string | number)[],
  isQuantity: Content['isQuantity'],
): string {
  const within = (inside: unknown, at: string | number): string => {
    path.push(at);
    const text = textOf(inside, path, isQuantity);
    path.pop();
    return text;
  };
  if (Array.isArray(value)) {
    const items = value.map((item) => within(item, 0)).toSorted();
    return `[${items.join()}]`;
  }
  if (isMapping(value)) {
    const fields = Object.keys(value).toSorted();
    return `{${fields.map((name) => `${JSON.stringify(name)}:${within(value[name], name)}`).join()}}`;
  }
  if ((typeof value === 'string' || typeof value === 'number') && isQuantity(path)) {
    const amount = parseQuantity(value);
    if (amount !== undefined) return `${thousandths(amount)}m`;
  }
  return JSON.stringify(value);
}

/**
 * Rounds an amount as these kinds store it: up to a thousandth.
 * Source: SetDefaults_ResourceList, https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/v1/defaults.go
 */
function thousandths(billionths: bigint): bigint {
  const [whole, rest] = [billionths / 1_000_000n, billionths % 1_000_000n];
  return rest > 0n ? whole + 1n : rest < 0n ? whole - 1n : whole;
}
