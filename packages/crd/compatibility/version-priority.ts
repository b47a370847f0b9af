/** The stability that the name of a version states: `v1`, `v1beta1`, `v1alpha1`. */
type Stability = 'ga' | 'beta' | 'alpha' | 'unknown';

interface Parsed {
  readonly stability: Stability;
  readonly major: number;
  readonly minor: number;
}

const rank: Readonly<Record<Stability, number>> = { ga: 3, beta: 2, alpha: 1, unknown: 0 };

export function parseStability(version: string): Stability {
  return parse(version).stability;
}

export function isLessStable(version: string, than: string): boolean {
  return rank[parseStability(version)] < rank[parseStability(than)];
}

/**
 * Orders versions as the API server offers them: the most stable and newest first, other names last
 * in alphabetical order.
 *
 * Source:
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority
 */
export function compareVersionPriority(a: string, b: string): number {
  const [x, y] = [parse(a), parse(b)];
  return (
    rank[y.stability] - rank[x.stability] ||
    y.major - x.major ||
    y.minor - x.minor ||
    (a < b ? -1 : a > b ? 1 : 0)
  );
}

function parse(version: string): Parsed {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (!match) return { stability: 'unknown', major: 0, minor: 0 };
  const [, major, stage, minor] = match;
  const stability = (stage as 'alpha' | 'beta' | undefined) ?? 'ga';
  return { stability, major: Number(major), minor: Number(minor ?? 0) };
}
