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
    if (amount !== undefined) return `${amount}n`;
  }
  return JSON.stringify(value);
}
