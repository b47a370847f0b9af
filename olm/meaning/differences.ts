import { isMapping } from '../../kube/mapping.ts';
import type { Path } from '../../kube/problem.ts';

/** A place at which two values are not the same. */
export interface Difference {
  readonly path: Path;
  /** Undefined where there is nothing. */
  readonly one: unknown;
  readonly other: unknown;
}

/** Where two values of JSON differ, as deep as that can be told: what is in one alone, and what is otherwise. */
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
