/** A right to objects that cannot be told in smaller ones: one verb, group, resource and name. */
export interface ObjectRight {
  /** `*`: any. */
  readonly verb: string;
  /** Empty: the core group. `*`: any. */
  readonly group: string;
  /** `pods`, `pods/log`; `*` is any with its subresources, and `*` before a slash any with that one. */
  readonly resource: string;
  /** Absent: every object, and requests that name none. */
  readonly name?: string;
}

/** A right to paths of the API server that are no objects. */
export interface PathRight {
  /** `*`: any. */
  readonly verb: string;
  /** `/metrics`; with a star at the end all that begins so. */
  readonly path: string;
}

/** A rule of a role, as far as it is one. */
export interface RightsRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** The paths that a pattern stands for all begin so; undefined where it is one path, and no pattern. */
export function prefixOf(path: string): string | undefined {
  return path.endsWith('*') ? path.replace(/\*+$/, '') : undefined;
}
