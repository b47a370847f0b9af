import { parseQuantity } from '@tenantry/kube/quantity';

/** The bounds of a quota by resource. */
export type Bounds = Readonly<Record<string, string | number>>;

/** Returns the bounds of two quotas that apply together: the lower one of each resource. */
export function takeLeast(one: Bounds, other: Bounds): Bounds {
  const least = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const [a, b] = [least[key], value].map((amount) =>
      amount !== undefined ? parseQuantity(amount) : undefined,
    );
    if (a === undefined || (b !== undefined && b < a)) least[key] = value;
  }
  return least;
}
