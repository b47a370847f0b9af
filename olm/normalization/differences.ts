import { isMapping } from '../../kube/mapping.ts';
import type { Path } from '../../kube/problem.ts';

/** A place where two values differ. */
export interface Difference {
  readonly path: Path;
  /** Undefined if it is absent. */
  readonly one: unknown;
  readonly other: unknown;
}

/**
 * Returns where two JSON values differ, as deep as possible: parts that only one of them has, and parts that are not
 * equal.
 */
export function findDifferences(one: unknown, other: unknown, path: Path = []): Difference[] {
  if (isMapping(one) && isMapping(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) =>
      findDifferences(own(one, key), own(other, key), [...path, key]),
    );
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((item: unknown, i) => findDifferences(item, other[i], [...path, i]));
  }
  return isSame(one, other) ? [] : [{ path, one, other }];
}

function own(mapping: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || (one === 0 && other === 0);
}
