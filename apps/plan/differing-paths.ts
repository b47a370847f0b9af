import { formatCanonicalJson } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';

/**
 * Lists the paths at which two values differ, without the values, which may be long or secret. Lists are compared as a
 * whole.
 * @param depth the most parts of a path. Default: any number
 */
export function listDifferingPaths(
  before: unknown,
  after: unknown,
  depth = Infinity,
  path: Path = [],
): Path[] {
  if (formatCanonicalJson(before) === formatCanonicalJson(after)) return [];
  if (path.length >= depth || !isMapping(before) || !isMapping(after)) return [path];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    listDifferingPaths(before[key], after[key], depth, [...path, key]),
  );
}
