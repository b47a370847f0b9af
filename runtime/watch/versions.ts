const decimal = /^[1-9][0-9]*$/;

/**
 * Compares two resourceVersions of one kind: below 0 if the first is older. They are decimal numbers of any length and
 * can be compared as such (KEP-5504, verified by conformance tests since Kubernetes 1.35). Returns undefined if one is
 * not a number, as is possible with aggregated API servers.
 */
export function compareVersions(one: string, other: string): number | undefined {
  if (one === other) return 0;
  if (!decimal.test(one) || !decimal.test(other)) return undefined;
  return one.length - other.length || (one < other ? -1 : 1);
}

/** Whether a state at `version` was delivered, given that all up to `reached` were. */
export function isReached(version: string, reached: string): boolean {
  return (compareVersions(version, reached) ?? 1) <= 0;
}
