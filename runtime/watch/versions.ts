const decimal = /^[1-9][0-9]*$/;

/**
 * The order of two resourceVersions of one kind: below 0 when the first is older. They are decimal
 * numbers of any length, and can be compared as such (KEP-5504, held by conformance tests since
 * Kubernetes 1.35). Undefined where one is no number, as aggregated API servers may have them.
 */
export function compareVersions(one: string, other: string): number | undefined {
  if (one === other) return 0;
  if (!decimal.test(one) || !decimal.test(other)) return undefined;
  return one.length - other.length || (one < other ? -1 : 1);
}

/** Whether a state that is `version` is part of what was told up to `reached`. */
export function isReached(version: string, reached: string): boolean {
  return (compareVersions(version, reached) ?? 1) <= 0;
}
